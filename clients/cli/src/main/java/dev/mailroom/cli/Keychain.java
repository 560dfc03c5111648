package dev.mailroom.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The keychain of the system: {@code security} of macOS, {@code secret-tool} of Linux.
 * Secrets are passed by standard input, as arguments can be read by others.
 */
final class Keychain {

	private static final int TIMEOUT_SECONDS = 20;

	private static final String SERVICE = "mailroom";

	private final boolean mac = System.getProperty("os.name", "").startsWith("Mac");

	/** Whether a secret that is stored for a trial is found again. */
	boolean works() {
		String name = "trial-" + UUID.randomUUID();
		String secret = UUID.randomUUID().toString();
		try {
			store(name, secret);
			return find(name).equals(secret);
		}
		catch (Failure ex) {
			return false;
		}
		finally {
			remove(name);
		}
	}

	void store(String name, String secret) {
		Optional<String> stored = this.mac
				? run("add-generic-password -U -s " + SERVICE + " -a " + name + " -w " + secret + "\n", "security",
						"-i")
				: run(secret, "secret-tool", "store", "--label=Mailroom (" + name + ")", "service", SERVICE, "profile",
						name);
		if (stored.isEmpty()) {
			throw broken("did not store the key");
		}
	}

	String find(String name) {
		Optional<String> found = this.mac
				? run("", "security", "find-generic-password", "-s", SERVICE, "-a", name, "-w")
				: run("", "secret-tool", "lookup", "service", SERVICE, "profile", name);
		return found.map(String::strip)
			.filter((secret) -> !secret.isEmpty())
			.orElseThrow(() -> broken("has no key of the profile " + name + ", or is locked"));
	}

	void remove(String name) {
		if (this.mac) {
			run("", "security", "delete-generic-password", "-s", SERVICE, "-a", name);
		}
		else {
			run("", "secret-tool", "clear", "service", SERVICE, "profile", name);
		}
	}

	private static Failure broken(String what) {
		return new Failure(Failure.NOT_SIGNED_IN, "not_signed_in",
				"The keychain " + what + ". Sign in with --store file to keep the key in a file.");
	}

	/** The output of a program; empty if it failed, hangs or does not exist. */
	private static Optional<String> run(String input, String... command) {
		try {
			Process process = new ProcessBuilder(List.of(command)).redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			try (OutputStream in = process.getOutputStream()) {
				in.write(input.getBytes(StandardCharsets.UTF_8));
			}
			if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
				process.destroyForcibly();
				return Optional.empty();
			}
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return (process.exitValue() == 0) ? Optional.of(output) : Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
	}

}
