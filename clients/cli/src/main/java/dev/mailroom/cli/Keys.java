package dev.mailroom.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Single key presses without Enter, where the system has {@code stty}. Elsewhere no key
 * is ever pressed.
 */
final class Keys implements AutoCloseable {

	private static final long STEP_MS = 100;

	private final InputStream in;

	private final @Nullable String settings;

	private final Thread restore = new Thread(this::restore);

	Keys(Program program) {
		this.in = program.in();
		this.settings = (program.types() && program.notes()) ? stty("-g") : null;
		if (this.settings != null) {
			Runtime.getRuntime().addShutdownHook(this.restore);
			stty("-icanon -echo min 1");
		}
	}

	/** Whether keys are read. */
	boolean work() {
		return this.settings != null;
	}

	/** Waits for a key. Returns a space when time is up. */
	char next(long millis) {
		try {
			for (long waited = 0; waited < millis; waited += STEP_MS) {
				if (work() && this.in.available() > 0) {
					return (char) this.in.read();
				}
				Emails.pause(Math.min(STEP_MS, millis - waited));
			}
		}
		catch (IOException ex) {
			Emails.pause(millis);
		}
		return ' ';
	}

	@Override
	public void close() {
		if (work()) {
			restore();
			Runtime.getRuntime().removeShutdownHook(this.restore);
		}
	}

	private void restore() {
		if (this.settings != null) {
			stty(this.settings);
		}
	}

	private static @Nullable String stty(String arguments) {
		try {
			Process process = new ProcessBuilder(("stty " + arguments).split(" ")).redirectInput(new File("/dev/tty"))
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			return (process.waitFor() == 0) ? output : null;
		}
		catch (IOException ex) {
			return null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
	}

}
