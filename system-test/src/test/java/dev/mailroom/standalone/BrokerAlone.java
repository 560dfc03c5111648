package dev.mailroom.standalone;

import java.nio.file.Path;

/** The broker that Mailroom brings along as a process of its own, which can be killed. */
public final class BrokerAlone {

	private BrokerAlone() {
	}

	/** Takes a directory, its port and its controller's. */
	public static void main(String[] arguments) throws Exception {
		new KafkaBroker(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2])).start();
	}

}
