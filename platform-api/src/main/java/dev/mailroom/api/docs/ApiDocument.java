package dev.mailroom.api.docs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The OpenAPI document as YAML and as JSON, both in UTF-8. The parsed document is not
 * kept, as it is many times larger.
 */
@Component
public class ApiDocument {

	private final byte[] yaml;

	private final byte[] json;

	private final Map<PathPattern, Map<HttpMethod, HttpHeaders>> deprecations;

	ApiDocument() throws IOException {
		this(new ClassPathResource("openapi/openapi.yaml").getContentAsByteArray());
	}

	ApiDocument(byte[] yaml) {
		this.yaml = yaml;
		Map<String, Object> tree = new Yaml(new SafeConstructor(new LoaderOptions()))
			.load(new ByteArrayInputStream(yaml));
		this.json = JsonMapper.shared().writeValueAsBytes(tree);
		this.deprecations = Deprecations.of(tree);
	}

	byte[] yaml() {
		return this.yaml;
	}

	/** The headers of deprecated operations, see {@link Deprecations}. */
	Map<PathPattern, Map<HttpMethod, HttpHeaders>> deprecations() {
		return this.deprecations;
	}

	/** The document as JSON. */
	public byte[] json() {
		return this.json;
	}

}
