package dev.mailroom.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import dev.mailroom.cli.Profiles.Profile;
import dev.mailroom.sdk.Mailroom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options of all commands, and what they lead to: the way of printing, the address
 * and the key. No option takes a key as text, because other users can list arguments.
 */
@Command(name = "mailroom", description = "Sends, follows and manages mail of a Mailroom server.",
		mixinStandardHelpOptions = true, scope = ScopeType.INHERIT, versionProvider = Main.Version.class,
		sortOptions = true, usageHelpAutoWidth = true)
final class Session {

	private final Program program;

	private final Profiles profiles;

	@Option(names = "--json", scope = ScopeType.INHERIT, description = "Print JSON.")
	private boolean json;

	@Option(names = "--profile", scope = ScopeType.INHERIT, paramLabel = "NAME",
			description = "The profile of login to use. Otherwise MAILROOM_PROFILE, or default.")
	private @Nullable String profile;

	@Option(names = "--api-key-file", scope = ScopeType.INHERIT, paramLabel = "FILE",
			description = "A file that contains the API key; - is the standard input.")
	private @Nullable String keyFile;

	@Option(names = "--url", scope = ScopeType.INHERIT, paramLabel = "URL",
			description = "The address of the server. Otherwise MAILROOM_URL, or that of the profile.")
	private @Nullable String url;

	private @Nullable Output output;

	private @Nullable String input;

	Session(Program program) {
		this.program = program;
		this.profiles = new Profiles(program);
	}

	Program program() {
		return this.program;
	}

	Profiles profiles() {
		return this.profiles;
	}

	/** Whether JSON was asked for, also of commands that print another format. */
	boolean asksForJson() {
		return this.json;
	}

	Output output() {
		if (this.output == null) {
			this.output = new Output(this.program, this.json || !this.program.shows());
		}
		return this.output;
	}

	/** Files of work in progress. */
	Path state() {
		return this.program.folder("XDG_STATE_HOME", ".local/state");
	}

	Api api() {
		return new Api(sdk());
	}

	Mailroom sdk() {
		Credential credential = credential();
		return sdk(credential.url(), credential.key());
	}

	static Mailroom sdk(String url, String key) {
		return Mailroom.builder().apiKey(key).url(url).app("mailroom-cli/" + Main.version()).build();
	}

	String profileName() {
		String named = (this.profile != null) ? this.profile : this.program.variable("MAILROOM_PROFILE");
		return (named != null) ? Profiles.name(named) : Profiles.DEFAULT;
	}

	/** The address of options and environment; null if neither has one. */
	@Nullable String url() {
		String named = (this.url != null) ? this.url : this.program.variable("MAILROOM_URL");
		return (named != null) ? address(named) : null;
	}

	/** The key in the file of the option; null without the option. */
	@Nullable String keyOfFile() {
		if (this.keyFile == null) {
			return null;
		}
		String key = read(this.keyFile).strip();
		if (key.isEmpty() || key.contains("\n")) {
			throw Failure.usage("The file of --api-key-file must contain one API key");
		}
		return key;
	}

	/** The key of options and environment; null if neither has one. */
	private @Nullable String givenKey() {
		String key = keyOfFile();
		return (key == null && this.profile == null) ? this.program.variable("MAILROOM_API_KEY") : key;
	}

	/** The key of a profile is sent to the address of that profile only. */
	Credential credential() {
		String key = givenKey();
		Profile stored = this.profiles.find(profileName()).orElse(null);
		String address = url();
		if (key != null) {
			String of = (address != null) ? address : (stored != null) ? stored.url() : null;
			if (of == null) {
				throw new Failure(Failure.NOT_SIGNED_IN, "not_signed_in",
						"There is no address: add --url, or set MAILROOM_URL");
			}
			return new Credential(of, key, null);
		}
		if (stored == null) {
			throw new Failure(Failure.NOT_SIGNED_IN, "not_signed_in", "There is no profile " + profileName()
					+ ": run mailroom login --url https://…, or set MAILROOM_API_KEY and MAILROOM_URL");
		}
		if (this.url != null && !address(this.url).equals(stored.url())) {
			throw Failure.usage("The key of the profile " + stored.name() + " is for " + stored.url()
					+ " only: sign in to the other address");
		}
		return new Credential(stored.url(), this.profiles.key(stored), stored);
	}

	/** The address of the API, which people may leave away. */
	private static String address(String url) {
		String trimmed = url.replaceAll("/+$", "");
		if (!trimmed.matches("https?://[^/?#\\s]+(/[^?#\\s]*)?")) {
			throw Failure.usage("The address " + Output.clean(url) + " is no http(s) address");
		}
		return trimmed.endsWith("/api") ? trimmed : trimmed + "/api";
	}

	/** The text of a file, or of the standard input. */
	String read(String file) {
		try {
			if (!file.equals("-")) {
				return Files.readString(Path.of(file));
			}
			if (this.input == null) {
				this.input = new String(this.program.in().readAllBytes(), StandardCharsets.UTF_8);
			}
			return this.input;
		}
		catch (NoSuchFileException ex) {
			throw Failure.usage("There is no file " + file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A value of an option, which a person at a terminal is asked for. */
	String required(@Nullable String value, String option, String question) {
		if (value != null) {
			return value;
		}
		if (!isTalking()) {
			throw Failure.usage("Missing option " + option);
		}
		String answer = ask(question + ": ");
		if (answer.isBlank()) {
			throw Failure.usage("Missing option " + option);
		}
		return answer;
	}

	/** Makes a person at a terminal confirm; others have to add {@code --yes}. */
	void confirm(boolean yes, String question) {
		if (yes) {
			return;
		}
		if (!isTalking()) {
			throw Failure.usage("Add --yes to confirm: " + question);
		}
		if (!ask(question + " [y/N] ").strip().equalsIgnoreCase("y")) {
			throw new Failure(Failure.REFUSED, "not_confirmed", "Nothing was done");
		}
	}

	private boolean isTalking() {
		return this.program.types() && this.program.notes();
	}

	private String ask(String question) {
		this.program.err().print(question);
		this.program.err().flush();
		try {
			String line = new BufferedReader(new InputStreamReader(this.program.in(), StandardCharsets.UTF_8))
				.readLine();
			return (line != null) ? line : "";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * An address with its key.
	 *
	 * @param profile where they come from; null for options and environment
	 */
	record Credential(String url, String key, @Nullable Profile profile) {

		@Override
		public String toString() {
			return "Credential[" + this.url + "]";
		}

	}

}
