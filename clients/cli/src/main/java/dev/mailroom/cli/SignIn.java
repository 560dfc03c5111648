package dev.mailroom.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.cli.Profiles.Profile;
import dev.mailroom.cli.Session.Credential;
import dev.mailroom.sdk.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands of keys and profiles. */
@Command(name = "mailroom", addMethodSubcommands = false)
final class SignIn {

	/** Permissions that the page of the server proposes; the person decides. */
	private static final List<String> PERMISSIONS = List.of("send", "domains.write", "templates.write",
			"contacts.write", "campaigns.write", "campaigns.send", "suppressions.write", "webhooks.write",
			"events.read", "usage.read");

	private final Session session;

	SignIn(Session session) {
		this.session = session;
	}

	@Command(description = { "Sign in, and store a key of the account.",
			"A person opens the shown address and compares the code. With --api-key-file an existing key is stored." })
	int login(@Option(names = "--store", paramLabel = "PLACE",
			description = "Where the key is stored: keychain (of the system, the default) or file.") @Nullable String store,
			@Option(names = "--permissions", split = ",", paramLabel = "NAME",
					description = "The permissions to propose, by default all that commands use.") @Nullable List<String> permissions,
			@Option(names = "--start",
					description = "Print address and code, and return at once: for agents.") boolean start,
			@Option(names = "--finish", paramLabel = "ID",
					description = "Wait for the sign-in that --start began.") @Nullable String finish) {
		if (finish != null) {
			return finish(finish);
		}
		String url = this.session.url();
		if (url == null) {
			url = this.session.profiles().find(this.session.profileName()).map(Profile::url).orElse(null);
		}
		if (url == null) {
			throw Failure.usage("Missing option --url, the address of the server");
		}
		String given = this.session.keyOfFile();
		String place = place(store);
		if (given != null) {
			return signedIn(url, place, this.session.profileName(), given);
		}
		DeviceFlow flow = new DeviceFlow(url, client());
		Value codes = flow.start(String.join(" ", (permissions != null) ? permissions : PERMISSIONS));
		if (start) {
			return started(url, place, codes);
		}
		Instant end = Instant.now().plusSeconds(codes.at("expires_in").number());
		// Not progress: without it nobody can answer.
		this.session.program()
			.err()
			.println("Open " + codes.at("verification_uri").text() + " and compare the code  "
					+ codes.at("user_code").text());
		String key = flow.await(codes.at("device_code").raw(), codes.at("interval").number(), () -> {
			Duration left = Duration.between(Instant.now(), end);
			this.session.output()
				.draw(List.of("(waiting, %d:%02d left; ^C to stop)".formatted(left.toMinutes(), left.toSecondsPart())));
		});
		this.session.output().draw(List.of());
		return signedIn(url, place, this.session.profileName(), key);
	}

	/** The place of the key, before a person does anything. */
	private String place(@Nullable String store) {
		if (store != null && !store.equals(Profiles.FILE) && !store.equals(Profiles.KEYCHAIN)) {
			throw Failure.usage("--store must be keychain or file");
		}
		if (Profiles.FILE.equals(store)) {
			return Profiles.FILE;
		}
		if (!this.session.profiles().keychain().works()) {
			throw Failure.usage("This system offers no keychain to this terminal: add --store file to keep the key in "
					+ "a file that only you can read");
		}
		return Profiles.KEYCHAIN;
	}

	private static String client() {
		try {
			String host = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.-]", "");
			return ("mailroom-cli " + host).substring(0, Math.min(80, 13 + host.length()));
		}
		catch (UnknownHostException ex) {
			return "mailroom-cli";
		}
	}

	private int started(String url, String place, Value codes) {
		String id = codes.at("user_code").raw().replaceAll("[^A-Za-z0-9]", "");
		Map<String, @Nullable Object> kept = new LinkedHashMap<>();
		kept.put("url", url);
		kept.put("store", place);
		kept.put("profile", this.session.profileName());
		kept.put("client_id", client());
		kept.put("device_code", codes.at("device_code").it());
		kept.put("interval", codes.at("interval").it());
		Profiles.write(pending(id), Json.write(kept));
		Map<String, @Nullable Object> shown = new LinkedHashMap<>();
		shown.put("id", id);
		shown.put("code", codes.at("user_code").it());
		shown.put("url", codes.at("verification_uri_complete").it());
		shown.put("expires_in", codes.at("expires_in").it());
		shown.put("next", "mailroom login --finish " + id);
		this.session.output()
			.result(shown, "Open " + codes.at("verification_uri_complete").text() + " and compare the code  "
					+ codes.at("user_code").text(), "Then run: mailroom login --finish " + id);
		return 0;
	}

	private int finish(String id) {
		Path file = pending(id);
		if (!Files.exists(file)) {
			throw new Failure(Failure.NOT_FOUND, "not_found", "No sign-in " + Output.clean(id) + " was started here");
		}
		Value kept = new Value(Json.read(Profiles.read(file)));
		DeviceFlow flow = new DeviceFlow(kept.at("url").raw(), kept.at("client_id").raw());
		String key = flow.await(kept.at("device_code").raw(), kept.at("interval").number(), () -> {
		});
		delete(file);
		return signedIn(kept.at("url").raw(), kept.at("store").raw(), kept.at("profile").raw(), key);
	}

	private Path pending(String id) {
		if (!id.matches("[A-Za-z0-9]{1,40}")) {
			throw Failure.usage("--finish takes the id that --start printed");
		}
		return this.session.state().resolve("sign-in-" + id + ".json");
	}

	private static void delete(Path file) {
		try {
			Files.deleteIfExists(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private int signedIn(String url, String place, String name, String key) {
		Value current = new Api(Session.sdk(url, key)).get("/api-keys/current").at("data");
		Value shown = current.at("apiKey");
		String expires = shown.at("expires_at").absent() ? null : shown.at("expires_at").raw();
		Profile profile = new Profile(name, url, place, shown.at("key_prefix").raw(), expires);
		this.session.profiles().save(profile, key);
		Map<String, @Nullable Object> result = new LinkedHashMap<>();
		result.put("profile", name);
		result.putAll(profile.fields());
		result.put("permissions", shown.at("permissions").it());
		this.session.output()
			.result(result,
					this.session.output().green("✓ ") + "Signed in. Key " + shown.at("key_prefix").text() + "…"
							+ ((expires != null) ? " until " + shown.at("expires_at").time() : "") + ", in the " + place
							+ ". Profile \"" + name + "\".");
		return 0;
	}

	@Command(description = "Forget the key of a profile. It stays valid until it is revoked in the web app.")
	int logout() {
		String name = this.session.profileName();
		Profile profile = this.session.profiles()
			.find(name)
			.orElseThrow(() -> new Failure(Failure.NOT_SIGNED_IN, "not_signed_in", "There is no profile " + name));
		this.session.profiles().remove(profile);
		this.session.output()
			.result(profile.fields(), "Forgot the key " + profile.prefix() + "…; revoke it in the web app");
		return 0;
	}

	@Command(description = "Show the key, its permissions and its account.")
	int whoami() {
		Credential credential = this.session.credential();
		Value current = new Api(Session.sdk(credential.url(), credential.key())).get("/api-keys/current").at("data");
		Value key = current.at("apiKey");
		this.session.output()
			.result(current.it(), "Server       " + credential.url(),
					"Key          " + key.at("key_prefix").text() + "…  \"" + key.at("key_name").text() + "\"",
					"Of           "
							+ (current.at("domain").absent() ? "the account" : current.at("domain", "name").text()),
					"Permissions  " + key.at("permissions").joined(),
					"Expires      " + (key.at("expires_at").absent() ? "never" : key.at("expires_at").time()),
					"Account      " + current.at("account", "id").text() + ", plan "
							+ current.at("account", "plan").text());
		return 0;
	}

	@Command(description = "List the profiles of this computer.")
	int profiles() {
		List<Profile> profiles = this.session.profiles().all();
		String used = this.session.profileName();
		List<Value> values = new ArrayList<>();
		for (Profile profile : profiles) {
			Map<String, @Nullable Object> value = new LinkedHashMap<>();
			value.put("name", profile.name());
			value.put("current", profile.name().equals(used));
			value.putAll(profile.fields());
			values.add(new Value(value));
		}
		this.session.output()
			.table(values, List.of("", "NAME", "SERVER", "KEY", "STORE", "EXPIRES"),
					profiles.stream()
						.map((profile) -> List.of(profile.name().equals(used) ? "*" : "", profile.name(), profile.url(),
								profile.prefix() + "…", profile.store(), String.valueOf(profile.expiresAt())))
						.toList());
		return 0;
	}

}
