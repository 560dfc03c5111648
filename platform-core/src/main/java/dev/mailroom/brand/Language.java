package dev.mailroom.brand;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;

/** Languages of what recipients read. Each has a file with all texts. */
public enum Language {

	/** English. */
	EN,
	/** German. */
	DE;

	private final Properties texts = read("brand/" + code() + ".properties");

	/** The code of ISO 639-1, for the attribute {@code lang}. */
	public String code() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The language of this code.
	 * @throws IllegalArgumentException if there is none
	 */
	public static Language of(String code) {
		return valueOf(code.toUpperCase(Locale.ROOT));
	}

	/**
	 * The language that suits a reader best.
	 * @param offered the languages to choose from, the first of them for other readers
	 * @param accepted value of the header Accept-Language (RFC 9110 12.5.4); null without
	 */
	public static Language choose(List<Language> offered, @Nullable String accepted) {
		try {
			List<Locale> locales = offered.stream().map((language) -> Locale.of(language.code())).toList();
			@Nullable Locale best = Locale.lookup(Locale.LanguageRange.parse(Objects.requireNonNullElse(accepted, "")), locales);
			return (best != null) ? offered.get(locales.indexOf(best)) : offered.getFirst();
		}
		catch (IllegalArgumentException _) {
			return offered.getFirst();
		}
	}

	/**
	 * A text of this language.
	 * @param values replace the placeholders, from {@code {0}} on
	 */
	public String text(String key, Object... values) {
		return MessageFormat.format(Objects.requireNonNull(this.texts.getProperty(key), key), values);
	}

	Set<String> keys() {
		return this.texts.stringPropertyNames();
	}

	private static Properties read(String name) {
		Properties texts = new Properties();
		try {
			texts.load(new StringReader(new ClassPathResource(name).getContentAsString(StandardCharsets.UTF_8)));
			return texts;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
