package dev.mailroom.admin.graphql;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.admin.WithAdmin;
import dev.mailroom.admin.graphql.SchemaTest.Inspection;
import dev.mailroom.mail.outcome.DeliveryResult;
import dev.mailroom.mail.queue.TransportKind;
import graphql.ExecutionInput;
import graphql.ParseAndValidate;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLEnumValueDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLTypeUtil;
import graphql.schema.diff.SchemaDiff;
import graphql.schema.diff.SchemaDiffSet;
import graphql.schema.diff.reporting.CapturingReporter;
import graphql.schema.idl.SchemaPrinter;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.graphql.autoconfigure.GraphQlSourceBuilderCustomizer;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ClassPathResource;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.graphql.execution.SchemaReport;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

@WithAdmin
@Import(Inspection.class)
class SchemaTest {

	@Autowired
	GraphQlSource source;

	@Autowired
	Inspection inspection;

	@Autowired
	StoredDocuments documents;

	@Test
	void everyTypeAndFieldHasADescription() {
		TreeSet<String> missing = new TreeSet<>();
		for (GraphQLNamedType type : types()) {
			check(missing, type.getName(), type.getDescription());
			switch (type) {
				case GraphQLFieldsContainer container -> container.getFieldDefinitions()
					.forEach((field) -> check(missing, type.getName() + "." + field.getName(), field.getDescription()));
				case GraphQLInputObjectType input -> input.getFields()
					.forEach((field) -> check(missing, type.getName() + "." + field.getName(), field.getDescription()));
				case GraphQLEnumType values -> values.getValues()
					.forEach((value) -> check(missing, type.getName() + "." + value.getName(), value.getDescription()));
				default -> {
				}
			}
		}
		assertThat(missing).isEmpty();
	}

	@Test
	void everyFieldAndArgumentIsImplemented() {
		SchemaReport report = this.inspection.report;
		// Payloads of mutations are maps.
		assertThat(report.unmappedFields()).filteredOn((field) -> !field.getTypeName().endsWith("Payload")).isEmpty();
		assertThat(report.unmappedArguments()).isEmpty();
		assertThat(report.unmappedRegistrations()).isEmpty();
	}

	@Test
	void theSchemaKeepsWhatThePublishedOneOffers() throws IOException {
		String current = print();
		Files.writeString(Path.of("target/schema.graphqls"), current);
		CapturingReporter reporter = new CapturingReporter();
		new SchemaDiff().diffSchema(SchemaDiffSet.diffSetFromSdl(published(), current), reporter);
		assertThat(reporter.getBreakages().stream().map((event) -> event.getReasonMsg()).toList()).isEmpty();
	}

	@Test
	void enumsHaveAValueForEachConstantOfTheCore() {
		assertThat(values("AttemptTransport")).containsExactlyInAnyOrder(names(TransportKind.values()));
		assertThat(values("AttemptOutcome")).isSubsetOf(names(DeliveryResult.values()));
		assertThat(names(DeliveryResult.values())).filteredOn((name) -> !values("AttemptOutcome").contains(name))
			.containsExactlyInAnyOrder("UNOPENED", "SUPPRESSED", "COMPLAINED");
	}

	private List<String> values(String type) {
		GraphQLEnumType values = Objects.requireNonNull((GraphQLEnumType) this.source.schema().getType(type));
		return values.getValues().stream().map(GraphQLEnumValueDefinition::getName).toList();
	}

	private static String[] names(Enum<?>[] constants) {
		return Stream.of(constants).map(Enum::name).toArray(String[]::new);
	}

	@Test
	void everyListHasALimit() {
		assertThat(listsWithout("first", "after")).isEmpty();
	}

	@Test
	void everyListButTheFeedOfEventsIsReadBackwardToo() {
		assertThat(listsWithout("last", "before")).containsExactly("Viewer.events");
	}

	private List<String> listsWithout(String... arguments) {
		return types().stream()
			.filter(GraphQLFieldsContainer.class::isInstance)
			.map(GraphQLFieldsContainer.class::cast)
			.flatMap((type) -> type.getFieldDefinitions()
				.stream()
				.filter((field) -> GraphQLTypeUtil.unwrapAll(field.getType()).getName().endsWith("Connection"))
				.filter((field) -> Stream.of(arguments).anyMatch((argument) -> field.getArgument(argument) == null))
				.map((field) -> type.getName() + "." + field.getName()))
			.toList();
	}

	@Test
	void everyStoredDocumentIsValidAndWithinTheLimits() {
		this.documents.all().forEach((id, text) -> {
			var input = ExecutionInput.newExecutionInput(text).build();
			var parsed = ParseAndValidate.parseAndValidate(this.source.schema(), input);
			assertThat(parsed.getErrors()).as(id).isEmpty();
			assertThatCode(() -> DocumentCost.check(this.source.schema(), parsed.getDocument(), Map.of(), false)).as(id)
				.doesNotThrowAnyException();
		});
	}

	private List<GraphQLNamedType> types() {
		GraphQLSchema schema = this.source.schema();
		return schema.getAllTypesAsList()
			.stream()
			.filter((type) -> !type.getName().startsWith("__"))
			.filter((type) -> !List.of("Int", "String", "Boolean", "Float", "ID").contains(type.getName()))
			.collect(Collectors.toList());
	}

	private static void check(Set<String> missing, String name, String description) {
		if (description == null || description.isBlank()) {
			missing.add(name);
		}
	}

	private String print() {
		return new SchemaPrinter(SchemaPrinter.Options.defaultOptions().includeDirectiveDefinitions(false))
			.print(this.source.schema());
	}

	private static String published() throws IOException {
		return new ClassPathResource("published.graphqls").getContentAsString(StandardCharsets.UTF_8);
	}

	/** Compares the schema with the code when the app starts. */
	@Component
	static class Inspection implements GraphQlSourceBuilderCustomizer {

		private SchemaReport report;

		@Override
		public void customize(GraphQlSource.SchemaResourceBuilder builder) {
			builder.inspectSchemaMappings((inspected) -> this.report = inspected);
		}

	}

}
