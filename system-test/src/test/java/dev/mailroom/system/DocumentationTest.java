package dev.mailroom.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.Value;
import graphql.parser.Parser;
import graphql.schema.Coercing;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.MockedWiringFactory;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.ScalarWiringEnvironment;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeDefinitionRegistry;
import graphql.validation.Validator;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names in the documents and runbooks that the code must have: files and headings of
 * links, settings, REST requests, GraphQL operations and tests.
 */
class DocumentationTest {

	private static final Path ROOT = Path.of("..");

	private static final Path SCHEMA = ROOT.resolve("tenant-admin/src/main/resources/graphql");

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	/** A link to a type or a method, as {@code [`Type.method`](path/Type.java)}. */
	private static final Pattern CODE_LINK = Pattern.compile("\\[`(\\w+)(?:\\.(\\w+))?`]\\(([^)\\s]+\\.java)\\)");

	private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

	private static final Pattern SETTING = Pattern.compile("\\bMAILROOM_[A-Z0-9_]*[A-Z0-9]\\b(?!\\*)");

	private static final Pattern REQUEST = Pattern.compile("\\b(GET|POST|PUT|PATCH|DELETE) (/[\\w/{}:.-]+)");

	/** Paths of the admin port, which the OpenAPI document does not describe. */
	private static final Pattern ADMIN_PATH = Pattern.compile("/(graphql|export/).*");

	private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)`");

	private static final Pattern OPERATION = Pattern.compile("(?m)(?:`|^ *)((?:mutation )?\\{ [a-z][^`\\n]+})");

	@Test
	void linksLeadToFilesAndHeadingsThatExist() {
		List<String> broken = new ArrayList<>();
		for (Path page : pages()) {
			LINK.matcher(text(page)).results().map((link) -> link.group(1)).forEach((link) -> {
				String[] parts = link.split("#", 2);
				Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
				if (!link.startsWith("http")
						&& (!Files.exists(target) || (parts.length > 1 && !anchors(target).contains(parts[1])))) {
					broken.add(page + ": " + link);
				}
			});
		}
		assertThat(broken).isEmpty();
	}

	/** Anchors of the headings of a page, as GitHub names them. */
	private static Set<String> anchors(Path page) {
		return HEADING.matcher(text(page))
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
			.collect(Collectors.toSet());
	}

	@Test
	void linkedMethodsExist() {
		List<String> missing = new ArrayList<>();
		for (Path page : pages()) {
			CODE_LINK.matcher(text(page)).results().forEach((link) -> {
				Path file = page.resolveSibling(link.group(3));
				boolean found = file.endsWith(link.group(1) + ".java") && Files.exists(file)
						&& (link.group(2) == null || text(file).matches("(?s).* " + link.group(2) + "\\(.*"));
				if (!found) {
					missing.add(page + ": " + link.group());
				}
			});
		}
		assertThat(missing).isEmpty();
	}

	@Test
	void settingsAreReadByAnApp() {
		// The others are of programs that use the API, move an account or join the
		// directory.
		Set<String> settings = new TreeSet<>(Set.of("MAILROOM_ADMIN", "MAILROOM_URL", "MAILROOM_API_KEY",
				"MAILROOM_PROFILE", "MAILROOM_WEBHOOK_SECRET", "MAILROOM_TEST_URL", "MAILROOM_TEST_API_KEY",
				"MAILROOM_TEST_DOMAIN", "MAILROOM_TEST_MAILBOX", "MAILROOM_TEST_JAR", "MAILROOM_MOVE_CELL",
				"MAILROOM_MOVE_DB_URL", "MAILROOM_MOVE_DB_USER", "MAILROOM_MOVE_DB_PASSWORD",
				"MAILROOM_MOVE_MASTER_KEY", "MAILROOM_MOVE_BLOB_STORE", "MAILROOM_MOVE_S3_ENDPOINT",
				"MAILROOM_DIRECTORY_OWNER_USER", "MAILROOM_DIRECTORY_OWNER_PASSWORD"));
		for (String app : List.of("platform-api", "tenant-admin", "delivery-worker", "standalone")) {
			String yaml = text(ROOT.resolve(app).resolve("src/main/resources").resolve(app + ".yaml"));
			settings.addAll(names(SETTING, yaml));
		}
		assertThat(pages())
			.allSatisfy((page) -> assertThat(settings).as(page.toString()).containsAll(names(SETTING, text(page))));
	}

	@Test
	void requestsAreInTheDescriptionOfTheApi() {
		Map<String, Map<String, Map<String, Object>>> api = new Yaml()
			.load(text(ROOT.resolve("platform-api/src/main/resources/openapi/openapi.yaml")));
		Set<String> operations = new TreeSet<>();
		api.get("paths")
			.forEach((path, methods) -> methods.keySet()
				.forEach((method) -> operations.add(method.toUpperCase(Locale.ROOT) + " " + shape(path))));
		List<String> unknown = new ArrayList<>();
		for (Path page : pages()) {
			REQUEST.matcher(text(page))
				.results()
				.filter((request) -> !ADMIN_PATH.matcher(request.group(2)).matches())
				.filter((request) -> !operations.contains(request.group(1) + " " + shape(request.group(2))))
				.forEach((request) -> unknown.add(page + ": " + request.group()));
		}
		assertThat(unknown).isEmpty();
	}

	/** A path in which all parameters have one form. */
	private static String shape(String path) {
		return path.replaceAll("\\{\\w+}|:\\w+", "{}").replaceAll("\\.$", "");
	}

	@Test
	void operationsOfGraphqlFitTheSchema() {
		GraphQLSchema schema = schema();
		List<String> operations = pages().stream()
			.flatMap((page) -> OPERATION.matcher(text(page)).results())
			.map((operation) -> operation.group(1))
			.filter((operation) -> !operation.contains("…"))
			.toList();
		assertThat(operations).hasSizeGreaterThan(4)
			.allSatisfy((operation) -> assertThat(
					new Validator().validateDocument(schema, new Parser().parseDocument(operation), Locale.ENGLISH))
				.as(operation)
				.isEmpty());
	}

	private static GraphQLSchema schema() {
		TypeDefinitionRegistry types = new TypeDefinitionRegistry();
		files(SCHEMA, ".graphqls").forEach((file) -> types.merge(new SchemaParser().parse(text(file))));
		return new SchemaGenerator().makeExecutableSchema(types,
				RuntimeWiring.newRuntimeWiring().wiringFactory(new AnyValues()).build());
	}

	@Test
	void namedTestsExist() {
		Set<String> tests = Stream.concat(directories(ROOT), directories(ROOT.resolve("clients")))
			.map((module) -> module.resolve("src/test/java"))
			.filter(Files::isDirectory)
			.flatMap((sources) -> files(sources, "Test.java").stream())
			.map((file) -> file.getFileName().toString().replace(".java", ""))
			.collect(Collectors.toSet());
		assertThat(pages())
			.allSatisfy((page) -> assertThat(tests).as(page.toString()).containsAll(names(TEST, text(page))));
	}

	private static Set<String> names(Pattern pattern, String text) {
		Set<String> names = new TreeSet<>();
		Matcher matcher = pattern.matcher(text);
		while (matcher.find()) {
			names.add(matcher.group(matcher.groupCount()));
		}
		return names;
	}

	/** The documents at the root, in docs and of the runbooks. */
	private static List<Path> pages() {
		List<Path> pages = new ArrayList<>(list(ROOT).filter((file) -> file.toString().endsWith(".md")).toList());
		pages.addAll(files(ROOT.resolve("docs"), ".md"));
		pages.addAll(files(ROOT.resolve("observability/runbooks"), ".md"));
		assertThat(pages).hasSizeGreaterThan(30);
		return pages;
	}

	private static Stream<Path> directories(Path parent) {
		return list(parent).filter(Files::isDirectory);
	}

	private static Stream<Path> list(Path directory) {
		try (Stream<Path> files = Files.list(directory)) {
			return files.sorted().toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Path> files(Path directory, String ending) {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.toString().endsWith(ending)).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Accepts any literal of the schema's own scalars. */
	private static final class AnyValues extends MockedWiringFactory {

		@Override
		public GraphQLScalarType getScalar(ScalarWiringEnvironment environment) {
			return GraphQLScalarType.newScalar()
				.name(environment.getScalarTypeDefinition().getName())
				.coercing(new AnyLiteral())
				.build();
		}

	}

	private static final class AnyLiteral implements Coercing<Object, Object> {

		@Override
		public Object parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
			return input;
		}

	}

}
