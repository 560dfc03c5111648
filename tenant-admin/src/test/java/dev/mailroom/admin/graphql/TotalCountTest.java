package dev.mailroom.admin.graphql;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.Statements;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.admin.graphql.FieldDocuments.Ids;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLNonNull;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLTypeUtil;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.graphql.execution.GraphQlSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists take {@code totalCount} from a maintained number or have none. The documents are
 * generated from the schema, so that a new list is included.
 */
@WithAdmin
class TotalCountTest {

	/** Lists with a maintained number, and their filters with one. */
	private static final List<String> MAINTAINED = List.of("contacts", "emails", "emails domainId", "emails status",
			"webhookCalls");

	/** Connections of these lists. */
	private static final List<String> WITH_NUMBER = List.of("ContactConnection", "EmailConnection",
			"WebhookCallConnection");

	private static final List<String> PAGE = List.of("first", "after", "last", "before");

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	GraphQlSource source;

	@Autowired
	Statements statements;

	@Test
	void noListIsCountedWhetherFilteredOrNot() {
		Person person = Person.operator(this.context);
		GraphQl client = GraphQl.at(this.port).as(person);
		Ids ids = Ids.of(AccountObjects.of(person, Person.in(this.context), client));
		TreeSet<String> numbered = new TreeSet<>();
		TreeSet<String> read = new TreeSet<>();
		for (String root : List.of("Viewer", "Operator")) {
			for (GraphQLFieldDefinition list : lists(root)) {
				filters(list).forEach((filter) -> {
					String name = (list.getName() + " " + filter.map(GraphQLArgument::getName).orElse("")).strip();
					this.statements.take();
					JsonNode page = client.data(document(root, list, filter, ids)).findPath(list.getName());
					assertThat(this.statements.take()).as(name)
						.isNotEmpty()
						.noneMatch((sql) -> sql.toLowerCase(Locale.ROOT).contains("count("));
					assertThat(page.has("totalCount")).as(name).isTrue();
					read.add(name);
					if (!page.path("totalCount").isNull()) {
						numbered.add(name);
					}
				});
			}
		}
		assertThat(read).hasSizeGreaterThan(30);
		assertThat(numbered).containsExactlyElementsOf(MAINTAINED);
	}

	@Test
	void theFieldIsDeprecatedWhereNoNumberIsMaintained() {
		assertThat(schema().getAllTypesAsList()).filteredOn((type) -> type.getName().endsWith("Connection"))
			.extracting(GraphQLObjectType.class::cast)
			.hasSizeGreaterThan(10)
			.allSatisfy((type) -> assertThat(type.getField("totalCount").isDeprecated()).as(type.getName())
				.isNotEqualTo(WITH_NUMBER.contains(type.getName())));
	}

	/** No filter, and each optional one by itself. */
	private static Stream<Optional<GraphQLArgument>> filters(GraphQLFieldDefinition list) {
		return Stream.concat(Stream.of(Optional.empty()),
				list.getArguments()
					.stream()
					.filter((argument) -> !PAGE.contains(argument.getName()) && !isRequired(argument))
					.map(Optional::of));
	}

	private static boolean isRequired(GraphQLArgument argument) {
		return argument.getType() instanceof GraphQLNonNull && !argument.hasSetDefaultValue();
	}

	private static String document(String root, GraphQLFieldDefinition list, Optional<GraphQLArgument> filter,
			Ids ids) {
		String arguments = Stream
			.concat(list.getArguments().stream().filter(TotalCountTest::isRequired), filter.stream())
			.map((argument) -> FieldDocuments.argument(list, argument, ids))
			.collect(Collectors.joining(", "));
		return "{ %s { %s%s { totalCount nodes { id } } } }".formatted(root.toLowerCase(Locale.ROOT), list.getName(),
				arguments.isEmpty() ? "" : "(" + arguments + ")");
	}

	private List<GraphQLFieldDefinition> lists(String type) {
		return Objects.requireNonNull(schema().getObjectType(type))
			.getFieldDefinitions()
			.stream()
			.filter((field) -> GraphQLTypeUtil.unwrapAll(field.getType()).getName().endsWith("Connection"))
			.toList();
	}

	private GraphQLSchema schema() {
		return this.source.schema();
	}

}
