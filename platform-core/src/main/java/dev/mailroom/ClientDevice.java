package dev.mailroom;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The program and system from which a request came, such as {@code Firefox on Linux},
 * according to its User-Agent (RFC 9110 10.1.5). It is part of the Reactor context. A
 * client can send any User-Agent. The text is only displayed; no decision depends on it.
 */
public final class ClientDevice {

	private static final String KEY = ClientDevice.class.getName();

	private static final String NONE = "";

	/** Characters of a User-Agent that are read. */
	private static final int MAX_LENGTH = 500;

	/** The product that a User-Agent begins with, without its version. */
	private static final Pattern PRODUCT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}(?=[/ ]|$)");

	/** Browsers that name others as well come before those. */
	private static final List<Token> BROWSERS = List.of(new Token("Edg", "Edge"), new Token("OPR/", "Opera"),
			new Token("SamsungBrowser/", "Samsung Internet"), new Token("Firefox/", "Firefox"),
			new Token("FxiOS/", "Firefox"), new Token("Chrome/", "Chrome"), new Token("CriOS/", "Chrome"),
			new Token("Safari/", "Safari"));

	/** Systems that name others as well come before those. */
	private static final List<Token> SYSTEMS = List.of(new Token("iPhone", "iPhone"), new Token("iPad", "iPad"),
			new Token("Android", "Android"), new Token("Windows", "Windows"), new Token("CrOS", "ChromeOS"),
			new Token("Mac OS X", "macOS"), new Token("Linux", "Linux"));

	private ClientDevice() {
	}

	/** Adds the User-Agent of a client to the Reactor context. */
	public static UnaryOperator<Context> context(@Nullable String userAgent) {
		return (context) -> (userAgent != null) ? context.put(KEY, userAgent) : context;
	}

	/** The device of the current request; empty text if it is unknown. */
	public static Mono<String> current() {
		return Mono.deferContextual(
				(context) -> Mono.just(name(Objects.requireNonNullElse(context.getOrDefault(KEY, NONE), NONE))));
	}

	/**
	 * The readable form of a User-Agent: names of known programs and systems, or of a
	 * product in at most 40 letters, digits, dots, hyphens and underscores. Empty if it
	 * contains neither.
	 */
	static String name(String userAgent) {
		String text = userAgent.substring(0, Math.min(MAX_LENGTH, userAgent.length()));
		Optional<String> program = find(BROWSERS, text).or(() -> product(text));
		Optional<String> system = find(SYSTEMS, text);
		return program.map((name) -> system.map((on) -> name + " on " + on).orElse(name)).or(() -> system).orElse(NONE);
	}

	private static Optional<String> find(List<Token> tokens, String text) {
		return tokens.stream().filter((token) -> text.contains(token.part())).map(Token::name).findFirst();
	}

	private static Optional<String> product(String text) {
		Matcher matcher = PRODUCT.matcher(text);
		return (matcher.lookingAt() && !matcher.group().equals("Mozilla")) ? Optional.of(matcher.group())
				: Optional.empty();
	}

	/**
	 * A part of a User-Agent.
	 *
	 * @param name the name to show
	 */
	private record Token(String part, String name) {
	}

}
