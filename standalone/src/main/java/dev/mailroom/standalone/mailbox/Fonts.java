package dev.mailroom.standalone.mailbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Fonts of the web app, if it is part of the build. */
final class Fonts {

	private static final Map<String, String> NAMES = Map.of("geist", "Geist Variable", "geist-mono",
			"Geist Mono Variable");

	/** Fonts by the paths at which the page loads them. */
	static final Map<String, byte[]> FILES = files();

	/** Font-face rules for these paths. */
	static final String CSS = css();

	private Fonts() {
	}

	private static Map<String, byte[]> files() {
		Map<String, byte[]> files = new LinkedHashMap<>();
		try {
			for (String name : NAMES.keySet()) {
				Resource[] found = new PathMatchingResourcePatternResolver()
					.getResources("classpath*:webapp/assets/" + name + "-latin-wght-normal-*.woff2");
				if (found.length > 0) {
					files.put("/fonts/" + name + ".woff2", found[0].getContentAsByteArray());
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return Map.copyOf(files);
	}

	private static String css() {
		StringBuilder css = new StringBuilder();
		for (String path : FILES.keySet()) {
			String name = NAMES.get(path.substring(path.lastIndexOf('/') + 1, path.indexOf('.')));
			css.append("@font-face { font-family: \"")
				.append(name)
				.append("\"; src: url(\"")
				.append(path.substring(1))
				.append("\") format(\"woff2\"); font-weight: 100 900; font-display: swap; }\n");
		}
		return css.toString();
	}

}
