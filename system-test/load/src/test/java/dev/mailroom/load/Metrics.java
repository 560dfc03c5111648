package dev.mailroom.load;

/** Metrics of the installation. */
final class Metrics {

	private final Client client;

	Metrics(Target target) {
		this.client = new Client(target.management(), () -> "");
	}

	/** Memory in use in the heap, garbage included, in megabytes. */
	long heapMegabytes() {
		return (long) this.client.text("/actuator/prometheus")
			.lines()
			.filter((line) -> line.startsWith("jvm_memory_used_bytes{") && line.contains("area=\"heap\""))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) / 1e6)
			.sum();
	}

}
