package dev.mailroom.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.time.Duration;
import java.util.List;

import dev.mailroom.Await;

/** Postfix's load program smtp-source, which sends mail to a relay before the sink. */
final class SmtpSource {

	private static final Path PROGRAM = Path.of("/usr/sbin/smtp-source");

	private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(3);

	private static final Duration INTERVAL = Duration.ofMillis(5);

	private static final int BODY_BYTES = 1024;

	private final int port;

	private final Sink sink;

	SmtpSource(int port, Sink sink) {
		this.port = port;
		this.sink = sink;
	}

	static boolean isInstalled() {
		return Files.isExecutable(PROGRAM);
	}

	/** Sends mails and waits until the sink has accepted all of them. */
	Sample send(long mails, CpuTime relay) throws Exception {
		long before = relay.micros();
		long goal = this.sink.accepted() + mails;
		long start = System.nanoTime();
		call(PROGRAM.toString(), "-s", "20", "-d", "-l", Integer.toString(BODY_BYTES), "-m", Long.toString(mails), "-f",
				"a@from.test", "-t", "b@" + Sink.DOMAIN, "127.0.0.1:" + this.port);
		Await.until("all mails arrive", DELIVERY_TIMEOUT, INTERVAL, () -> this.sink.accepted() >= goal);
		return new Sample(mails, System.nanoTime() - start, Map.of("relay", relay.micros() - before));
	}

	static void call(String... command) throws Exception {
		Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException(String.join(" ", command) + ": " + output);
		}
	}

	/** CPU time of a relay. */
	interface CpuTime {

		long micros() throws IOException;

	}

}
