package dev.mailroom.api.docs;

import java.io.ByteArrayInputStream;
import java.io.IOException;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * The OpenAPI document as YAML and as JSON, both in UTF-8. The parsed document is not
 * kept, as it is many times larger.
 */
@Component
public class ApiDocument {

	private final byte[] yaml;

	private final byte[] json;

	ApiDocument() throws IOException {
		this.yaml = new ClassPathResource("openapi/openapi.yaml").getContentAsByteArray();
		this.json = JsonMapper.shared()
			.writeValueAsBytes(
					new Yaml(new SafeConstructor(new LoaderOptions())).load(new ByteArrayInputStream(this.yaml)));
	}

	byte[] yaml() {
		return this.yaml;
	}

	/** The document as JSON. */
	public byte[] json() {
		return this.json;
	}

}
