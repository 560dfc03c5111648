package dev.mailroom.api.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.mailroom.api.http.AtRoot;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the OpenAPI document, the page that renders it in the browser, and the home of
 * the site.
 */
@AtRoot
@RestController
class DocsController {

	/**
	 * Content security policy of the reference: everything comes from this server, and
	 * requests go to it only. The renderer needs inline styles; it does not evaluate
	 * code.
	 */
	static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
			+ "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
			+ "frame-ancestors 'none'";

	private final ApiDocument document;

	private final Site site;

	private final String reference;

	private final String style;

	DocsController(ApiDocument document, Site site) throws IOException {
		this.document = document;
		this.site = site;
		this.reference = resource("reference.html");
		this.style = resource("style.css");
	}

	private static String resource(String name) throws IOException {
		return new ClassPathResource("docs/" + name).getContentAsString(StandardCharsets.UTF_8);
	}

	@GetMapping("/openapi.json")
	ResponseEntity<byte[]> json() {
		return cached(MediaType.APPLICATION_JSON, this.document.json());
	}

	@GetMapping("/openapi.yaml")
	ResponseEntity<byte[]> yaml() {
		return cached(MediaType.APPLICATION_YAML, this.document.yaml());
	}

	@GetMapping("/docs")
	ResponseEntity<String> home() {
		return page(this.site.policy(), this.site.home());
	}

	@GetMapping("/docs/reference")
	ResponseEntity<String> reference() {
		return page(POLICY, this.reference);
	}

	private static ResponseEntity<String> page(String policy, String html) {
		return ResponseEntity.ok()
			.contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
			.header("Content-Security-Policy", policy)
			.body(html);
	}

	@GetMapping("/docs/style.css")
	ResponseEntity<String> style() {
		return cached(new MediaType("text", "css", StandardCharsets.UTF_8), this.style);
	}

	private static <T> ResponseEntity<T> cached(MediaType type, T body) {
		return ResponseEntity.ok()
			.contentType(type)
			.cacheControl(CacheControl.maxAge(Duration.ofMinutes(5)).cachePublic())
			.body(body);
	}

}
