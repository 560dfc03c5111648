package dev.mailroom.admin.graphql;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * Documents of the web app, by id. The manifest {@code graphql/documents.json} maps each
 * id to its document.
 */
@Component
class StoredDocuments {

	private static final TypeReference<Map<String, String>> DOCUMENTS = new TypeReference<>() {
	};

	private final Map<String, String> documents;

	StoredDocuments(JsonMapper json) throws IOException {
		this.documents = Map.copyOf(Objects.requireNonNull(
				json.readValue(new ClassPathResource("graphql/documents.json").getContentAsByteArray(), DOCUMENTS)));
	}

	Optional<String> find(String id) {
		return Optional.ofNullable(this.documents.get(id));
	}

	/** All documents by id. */
	Map<String, String> all() {
		return this.documents;
	}

}
