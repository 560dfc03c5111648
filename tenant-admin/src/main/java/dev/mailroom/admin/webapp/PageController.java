package dev.mailroom.admin.webapp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.util.HtmlUtils;

/**
 * Serves the page of the web app at the root and at every path that a browser navigates
 * to, because the app has its own routes. Each response has a new nonce for its styles.
 */
@RestController
class PageController {

	/** Text in the built page that stands for the nonce. */
	private static final String NONCE = "MAILROOM_NONCE";

	/** Text in the built page that stands for the URL of the REST API. */
	private static final String API_URL = "MAILROOM_API_URL";

	/** Text in the built page that stands for the names of the cells, this one first. */
	private static final String CELLS = "MAILROOM_CELL_NAMES";

	private static final int NONCE_BYTES = 16;

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; "
			+ "img-src 'self' data: %s/image/; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
			+ "form-action 'self'; frame-ancestors 'none'";

	private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

	/** First segments of paths that other ports or other handlers serve. */
	private static final Set<String> OTHERS = Set.of("api", "actuator", "assets", "export", "graphql", "preview",
			".well-known");

	private final SecureRandom random = new SecureRandom();

	private final String page;

	private final String publicUrl;

	PageController(Settings settings) throws IOException {
		this.publicUrl = settings.publicUrl();
		this.page = new ClassPathResource(Assets.DIRECTORY + "index.html").getContentAsString(StandardCharsets.UTF_8)
			.replace(API_URL, HtmlUtils.htmlEscape(settings.publicUrl(), "UTF-8"))
			.replace(CELLS, settings.cell().names());
	}

	@GetMapping({ "/", "/{*path}" })
	ResponseEntity<String> page(ServerHttpRequest request) {
		PathContainer path = request.getPath().pathWithinApplication();
		if (!path.value().equals("/") && !(isRoute(path) && isNavigation(request.getHeaders().getAccept()))) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
		String nonce = nonce();
		return ResponseEntity.ok()
			.contentType(HTML)
			.header("Content-Security-Policy", POLICY.formatted(nonce, this.publicUrl))
			.body(this.page.replace(NONCE, nonce));
	}

	/**
	 * Whether the web app may have a page at a path: files and other services do not.
	 * Segments are compared decoded, as routes match them.
	 */
	private static boolean isRoute(PathContainer path) {
		List<String> segments = path.elements()
			.stream()
			.filter(PathContainer.PathSegment.class::isInstance)
			.map((segment) -> ((PathContainer.PathSegment) segment).valueToMatch())
			.toList();
		return !segments.isEmpty() && !OTHERS.contains(segments.getFirst()) && !segments.getLast().contains(".");
	}

	/** Browsers name HTML when they navigate. */
	private static boolean isNavigation(List<MediaType> accepted) {
		return accepted.stream().anyMatch((type) -> type.equalsTypeAndSubtype(MediaType.TEXT_HTML));
	}

	private String nonce() {
		byte[] bytes = new byte[NONCE_BYTES];
		this.random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	/**
	 * Settings of the page.
	 *
	 * @param publicUrl URL of the REST API for the examples that the pages show
	 * @param cell the cells that the console shows
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue("http://localhost:8080") String publicUrl, @DefaultValue Cells cell) {
	}

	/**
	 * Cells that the console shows.
	 *
	 * @param name name of this cell
	 * @param all names and URLs of all cells, as {@code name=URL}
	 */
	record Cells(@DefaultValue("") String name, @DefaultValue List<String> all) {

		/** The names, that of this cell first; empty without other cells. */
		String names() {
			return this.all.isEmpty() ? "" : Stream
				.concat(Stream.of(this.name),
						this.all.stream().map((cell) -> cell.split("=", 2)[0]).filter((it) -> !it.equals(this.name)))
				.collect(Collectors.joining(" "));
		}

	}

}
