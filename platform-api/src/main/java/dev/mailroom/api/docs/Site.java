package dev.mailroom.api.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * The documentation site, as the build has put it on the class path: pages in HTML and in
 * Markdown, of which nothing is kept in memory.
 */
@Component
public class Site {

	/** Directory of the built site on the class path. */
	static final String DIRECTORY = "site/";

	private final String policy = text("policy.txt");

	/**
	 * Content security policy of the pages: everything comes from this server. Inline
	 * scripts are those of the build.
	 */
	String policy() {
		return this.policy;
	}

	/** The home as HTML. */
	String home() {
		return text("index.html");
	}

	/** The pages in the order of the site. */
	public List<Page> pages() {
		return JsonMapper.shared().readValue(text("pages.json"), new TypeReference<List<Page>>() {
		});
	}

	/** The Markdown of a page. */
	public String markdown(Page page) {
		return text(page.name() + ".md");
	}

	private static String text(String file) {
		try {
			return new ClassPathResource(DIRECTORY + file).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A page.
	 *
	 * @param name its address below {@code /docs/}
	 */
	public record Page(String name, String title) {
	}

}
