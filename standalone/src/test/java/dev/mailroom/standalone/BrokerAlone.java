package dev.mailroom.standalone;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The embedded broker in a process of its own, which can be killed. */
public final class BrokerAlone {

	private BrokerAlone() {
	}

	/**
	 * Takes a directory, its port, its controller's, and settings of a node of a cluster
	 * as {@code key=value}.
	 */
	public static void main(String[] arguments) throws Exception {
		Map<String, String> deviations = Stream.of(arguments)
			.skip(3)
			.map((argument) -> argument.split("=", 2))
			.collect(Collectors.toMap((pair) -> pair[0], (pair) -> pair[1]));
		new KafkaBroker(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]),
				deviations)
			.start();
	}

}
