package dev.mailroom.api.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/** The OpenAPI document as YAML text and as a tree. */
@Component
class ApiDocument {

	private final String yaml;

	private final JsonNode tree;

	ApiDocument() throws IOException {
		this.yaml = new ClassPathResource("openapi/openapi.yaml").getContentAsString(StandardCharsets.UTF_8);
		this.tree = JsonMapper.shared().valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(this.yaml));
	}

	String yaml() {
		return this.yaml;
	}

	String json() {
		return this.tree.toString();
	}

}
