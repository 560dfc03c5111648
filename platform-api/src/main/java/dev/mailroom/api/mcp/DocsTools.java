package dev.mailroom.api.mcp;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.api.docs.ApiDocument;
import dev.mailroom.api.docs.Site;
import dev.mailroom.api.http.ErrorText;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

/**
 * Search in the pages of the site and the operations and errors of this API, which are
 * read at the first use.
 */
@Component
class DocsTools {

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private static final int MAX_FOUND = 10;

	/** Beginning of a part of a page. */
	private static final Pattern HEADING = Pattern.compile("^## ", Pattern.MULTILINE);

	private final JsonMapper json;

	private final ApiDocument document;

	private final Site site;

	private final SingletonSupplier<List<Doc>> docs = SingletonSupplier.of(this::read);

	DocsTools(JsonMapper json, ApiDocument document, Site site) {
		this.json = json;
		this.document = document;
		this.site = site;
	}

	Mono<ObjectNode> search(McpTool.Call call) {
		return Mono.fromSupplier(() -> {
			List<String> words = List.of(call.text("query").toLowerCase(Locale.ROOT).split("\\W+", -1));
			ObjectNode answer = this.json.createObjectNode();
			ArrayNode found = answer.putArray("docs");
			this.docs.obtain()
				.stream()
				.filter((doc) -> doc.score(words) > 0)
				.sorted(Comparator.comparingLong((Doc doc) -> -doc.score(words)))
				.limit(MAX_FOUND)
				.forEach((doc) -> found.addObject().put("name", doc.name()).put("title", doc.title()));
			return answer;
		});
	}

	Mono<ObjectNode> read(McpTool.Call call) {
		return Mono.fromSupplier(() -> {
			Doc doc = this.docs.obtain()
				.stream()
				.filter((it) -> it.name().equals(call.text("name")))
				.findFirst()
				.orElseThrow(() -> NOT_FOUND.because("There is no page with this name: search_docs finds names"));
			return this.json.createObjectNode()
				.put("name", doc.name())
				.put("title", doc.title())
				.put("content", doc.content());
		});
	}

	private List<Doc> read() {
		Stream<Doc> operations = this.json.readTree(this.document.json())
			.path("paths")
			.propertyStream()
			.flatMap(DocsTools::operations);
		Stream<Doc> errors = ErrorText.all()
			.stream()
			.map((error) -> new Doc(error.name(), error.status() + " " + error.error(),
					error.meaning() + " " + error.remedy()));
		Stream<Doc> pages = this.site.pages().stream().flatMap(this::parts);
		return Stream.of(operations, errors, pages).flatMap((docs) -> docs).toList();
	}

	/** A page, and each of its parts. */
	private Stream<Doc> parts(Site.Page page) {
		String markdown = this.site.markdown(page);
		Stream<Doc> parts = HEADING.splitAsStream(markdown).skip(1).map((part) -> {
			String[] lines = part.split("\n", 2);
			return new Doc(
					page.name() + "#"
							+ lines[0].toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'),
					page.title() + ": " + lines[0], part);
		});
		return Stream.concat(Stream.of(new Doc(page.name(), page.title(), markdown)), parts);
	}

	private static Stream<Doc> operations(Map.Entry<String, JsonNode> path) {
		return path.getValue()
			.propertyStream()
			.filter((method) -> method.getValue().has("operationId"))
			.map((method) -> {
				JsonNode operation = method.getValue();
				String content = operation.path("summary").asString("") + ".\n"
						+ operation.path("description").asString("") + "\nPermission of API keys: "
						+ operation.path("x-permission").asString("none") + "\nBody: "
						+ operation.at("/requestBody/content/application~1json/example");
				return new Doc(operation.get("operationId").asString(""),
						method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), content);
			});
	}

	/** An operation, an error, a page or a part of one. */
	private record Doc(String name, String title, String content) {

		/** The number of the words that occur; those in the title count more. */
		long score(List<String> words) {
			String head = (this.name + " " + this.title).toLowerCase(Locale.ROOT);
			String body = this.content.toLowerCase(Locale.ROOT);
			return words.stream()
				.filter((word) -> !word.isEmpty())
				.mapToLong((word) -> (head.contains(word) ? 2 : 0) + (body.contains(word) ? 1 : 0))
				.sum();
		}

	}

}
