package dev.mailroom.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The profiles of providers: those in the jar, with the changes of operators. Immutable.
 */
public final class Profiles {

	/** Name of the profile of all other servers, and of their label. */
	public static final String OTHER = "other";

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
		.build();

	private static final Shipped SHIPPED_FILE = read();

	private static final Profiles SHIPPED = new Profiles(List.of());

	private final Map<String, ProviderProfile> byName = new LinkedHashMap<>();

	private final Map<String, List<CompiledRule>> rules = new LinkedHashMap<>();

	private final List<CompiledRule> general = compile(SHIPPED_FILE.rules());

	private Profiles(Collection<ProviderProfile> changes) {
		Map<String, ProviderProfile> shipped = new LinkedHashMap<>();
		SHIPPED_FILE.profiles().forEach((profile) -> shipped.put(profile.name(), profile));
		shipped.put(OTHER, ProviderProfile.empty(OTHER));
		// Those of operators come first: they may be about some servers of a provider.
		changes.stream()
			.filter((change) -> !shipped.containsKey(change.name()))
			.forEach((own) -> this.byName.put(own.name(), own));
		changes.forEach((change) -> shipped.computeIfPresent(change.name(), (_, profile) -> change.over(profile)));
		this.byName.putAll(shipped);
		this.byName.forEach((name, profile) -> this.rules.put(name,
				compile(Objects.requireNonNullElse(profile.rules(), List.of()))));
	}

	/** The profiles in the jar. */
	public static Profiles shipped() {
		return SHIPPED;
	}

	/** The profiles with the changes of operators. */
	public static Profiles with(Collection<ProviderProfile> changes) {
		return changes.isEmpty() ? SHIPPED : new Profiles(changes);
	}

	/** All profiles: those of operators before the shipped ones. */
	public List<ProviderProfile> all() {
		return List.copyOf(this.byName.values());
	}

	/** The profile of this name; that of all other servers if there is none. */
	public ProviderProfile get(String name) {
		@Nullable ProviderProfile profile = this.byName.get(name);
		return (profile != null) ? profile : Objects.requireNonNull(this.byName.get(OTHER));
	}

	/** Whether there is a profile of this name. */
	boolean contains(String name) {
		return this.byName.containsKey(name);
	}

	/** The site of a domain with these MX hosts, lower-case. */
	public Site site(String domain, Collection<String> hosts) {
		String servers = hosts.isEmpty() ? domain : Site.key(hosts);
		return this.byName.values()
			.stream()
			.filter((profile) -> !hosts.isEmpty() && hosts.stream().allMatch((host) -> isOf(profile, host)))
			.findFirst()
			.map((profile) -> new Site(profile.name(), profile.name(), servers))
			.orElse(new Site(servers, OTHER, servers));
	}

	/** The first rule for a reply; empty if none matches. */
	public Optional<ReplyRule> rule(String profile, String reply) {
		return Stream.concat(this.rules.getOrDefault(profile, List.of()).stream(), this.general.stream())
			.filter((rule) -> rule.pattern().matcher(reply).find())
			.map(CompiledRule::rule)
			.findFirst();
	}

	/** The shipped provider of a server, as the value of labels. */
	public static String provider(String host) {
		String name = host.toLowerCase(Locale.ROOT);
		return SHIPPED_FILE.profiles()
			.stream()
			.filter((profile) -> isOf(profile, name))
			.map(ProviderProfile::name)
			.findFirst()
			.orElse(OTHER);
	}

	/** The values of labels. */
	public static List<String> providers() {
		return Stream.concat(SHIPPED_FILE.profiles().stream().map(ProviderProfile::name), Stream.of(OTHER)).toList();
	}

	/** The value of the label of a profile. */
	public static String label(String profile) {
		return SHIPPED.contains(profile) ? profile : OTHER;
	}

	/** A profile in the form in which changes are stored. */
	static String write(ProviderProfile profile) {
		return JSON.writeValueAsString(profile);
	}

	/** A stored change; its rules are compiled to see that they are valid. */
	static ProviderProfile read(String document) {
		ProviderProfile profile = Objects.requireNonNull(JSON.readValue(document, ProviderProfile.class));
		compile(Objects.requireNonNullElse(profile.rules(), List.of()));
		return profile;
	}

	private static boolean isOf(ProviderProfile profile, String host) {
		return Objects.requireNonNullElse(profile.suffixes(), List.<String>of())
			.stream()
			.anyMatch((suffix) -> host.equals(suffix) || host.endsWith("." + suffix));
	}

	private static List<CompiledRule> compile(List<ReplyRule> rules) {
		List<CompiledRule> compiled = new ArrayList<>();
		rules.forEach((rule) -> compiled.add(new CompiledRule(rule, rule.compile())));
		return compiled;
	}

	private static Shipped read() {
		try (InputStream file = Objects.requireNonNull(Profiles.class.getResourceAsStream("/profiles.json"))) {
			return Objects.requireNonNull(JSON.readValue(file, Shipped.class));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The file in the jar.
	 *
	 * @param rules for the replies of all servers
	 */
	private record Shipped(List<ProviderProfile> profiles, List<ReplyRule> rules) {
	}

	private record CompiledRule(ReplyRule rule, Pattern pattern) {
	}

}
