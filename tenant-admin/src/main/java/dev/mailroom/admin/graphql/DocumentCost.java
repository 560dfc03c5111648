package dev.mailroom.admin.graphql;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import graphql.language.Argument;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.IntValue;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.Value;
import graphql.language.VariableReference;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Depth, aliases and cost of a document. The cost is the number of objects that the
 * response can have: a list has as many as its argument {@code first}, or 10 without that
 * argument. The measurement runs before the document is validated and ends as soon as a
 * limit is exceeded, so that its time is bounded.
 */
final class DocumentCost {

	static final int MAX_DEPTH = 12;

	static final int MAX_COST = 1000;

	static final int MAX_ALIASES = 30;

	/** Fields and fragments, those of a repeated fragment counted each time. */
	private static final int MAX_SELECTIONS = 2000;

	/** Assumed size of a list without the argument first. */
	private static final int LIST_SIZE = 10;

	/** Fields of a connection, which add no objects of their own. */
	private static final Set<String> CONNECTION_FIELDS = Set.of("edges", "node", "nodes", "pageInfo");

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final GraphQLSchema schema;

	private final Map<String, Object> variables;

	private final Map<String, FragmentDefinition> fragments;

	private final boolean mayIntrospect;

	private final Set<String> openFragments = new HashSet<>();

	private int selections;

	private int aliases;

	private long cost;

	private DocumentCost(GraphQLSchema schema, Document document, Map<String, Object> variables,
			boolean mayIntrospect) {
		this.schema = schema;
		this.variables = variables;
		this.mayIntrospect = mayIntrospect;
		this.fragments = new HashMap<>();
		document.getDefinitionsOfType(FragmentDefinition.class)
			.forEach((fragment) -> this.fragments.put(fragment.getName(), fragment));
	}

	/**
	 * Measures a document.
	 * @param mayIntrospect whether the caller may read the schema
	 * @return the cost
	 * @throws Refused {@code Invalid request data} if a limit is exceeded, or
	 * {@code Forbidden} if the document reads the schema and the caller may not
	 */
	static long check(GraphQLSchema schema, Document document, Map<String, Object> variables, boolean mayIntrospect) {
		DocumentCost measured = new DocumentCost(schema, document, variables, mayIntrospect);
		for (OperationDefinition operation : document.getDefinitionsOfType(OperationDefinition.class)) {
			@Nullable GraphQLFieldsContainer root = switch (operation.getOperation()) {
				case QUERY -> schema.getQueryType();
				case MUTATION -> schema.getMutationType();
				case SUBSCRIPTION -> schema.getSubscriptionType();
				case null -> null;
			};
			measured.walk(operation.getSelectionSet(), root, 1, 1);
		}
		return measured.cost;
	}

	private void walk(@Nullable SelectionSet set, @Nullable GraphQLFieldsContainer parent, int depth, long objects) {
		if (set == null) {
			return;
		}
		for (Selection<?> selection : set.getSelections()) {
			if (++this.selections > MAX_SELECTIONS) {
				throw INVALID.because("The document selects more than " + MAX_SELECTIONS + " fields");
			}
			switch (selection) {
				case Field field -> field(field, parent, depth, objects);
				case InlineFragment inline -> walk(inline.getSelectionSet(),
						(inline.getTypeCondition() != null) ? container(inline.getTypeCondition().getName()) : parent,
						depth, objects);
				case FragmentSpread spread -> spread(spread.getName(), depth, objects);
				default -> {
					// There are no other kinds of selections.
				}
			}
		}
	}

	/** A fragment that contains itself is left to the validation. */
	private void spread(String name, int depth, long objects) {
		@Nullable FragmentDefinition fragment = this.fragments.get(name);
		if (fragment != null && this.openFragments.add(name)) {
			walk(fragment.getSelectionSet(), container(fragment.getTypeCondition().getName()), depth, objects);
			this.openFragments.remove(name);
		}
	}

	private void field(Field field, @Nullable GraphQLFieldsContainer parent, int depth, long objects) {
		if (field.getAlias() != null && ++this.aliases > MAX_ALIASES) {
			throw INVALID.because("The document has more than " + MAX_ALIASES + " aliases");
		}
		if (depth == 1 && (field.getName().equals("__schema") || field.getName().equals("__type"))) {
			if (!this.mayIntrospect) {
				throw FORBIDDEN.because("Only operators may read the schema");
			}
			return;
		}
		if (depth > MAX_DEPTH) {
			throw INVALID.because("The document is nested more than " + MAX_DEPTH + " levels deep");
		}
		if (field.getSelectionSet() == null) {
			return;
		}
		@Nullable GraphQLFieldDefinition definition = (parent != null) ? parent.getFieldDefinition(field.getName()) : null;
		long inside = multiply(objects, size(field, definition));
		if (!CONNECTION_FIELDS.contains(field.getName())) {
			this.cost += inside;
		}
		if (this.cost > MAX_COST) {
			throw INVALID.because("The response could have more than " + MAX_COST
					+ " objects: ask for shorter lists with first, or for fewer of them");
		}
		walk(field.getSelectionSet(), container(definition), depth + 1, inside);
	}

	/** The objects that a field can return for each object that has it. */
	private long size(Field field, @Nullable GraphQLFieldDefinition definition) {
		if (definition == null) {
			return 1;
		}
		@Nullable GraphQLArgument first = definition.getArgument("first");
		if (first != null) {
			Value<?> given = field.getArguments()
				.stream()
				.filter((argument) -> argument.getName().equals("first"))
				.map(Argument::getValue)
				.findFirst()
				.orElse(null);
			return Math.max(1, number(given).orElseGet(() -> defaultOf(first)));
		}
		boolean list = GraphQLTypeUtil.isList(GraphQLTypeUtil.unwrapNonNull(definition.getType()));
		return (list && !CONNECTION_FIELDS.contains(field.getName())) ? LIST_SIZE : 1;
	}

	private Optional<Long> number(@Nullable Value<?> value) {
		return switch (value) {
			case IntValue number ->
				Optional.of(number.getValue().min(BigInteger.valueOf(MAX_COST + 1L))).map(BigInteger::longValue);
			case VariableReference variable when this.variables.get(variable.getName()) instanceof Number number ->
				Optional.of(number.longValue());
			case null, default -> Optional.empty();
		};
	}

	private static long defaultOf(GraphQLArgument first) {
		return (first.getArgumentDefaultValue().getValue() instanceof IntValue number) ? number.getValue().longValue()
				: LIST_SIZE;
	}

	private @Nullable GraphQLFieldsContainer container(@Nullable GraphQLFieldDefinition definition) {
		return (definition != null
				&& GraphQLTypeUtil.unwrapAll(definition.getType()) instanceof GraphQLFieldsContainer type) ? type
						: null;
	}

	private @Nullable GraphQLFieldsContainer container(String name) {
		@Nullable GraphQLType type = this.schema.getType(name);
		return (type instanceof GraphQLFieldsContainer container) ? container : null;
	}

	private static long multiply(long objects, long size) {
		return Math.min(MAX_COST + 1L, objects * Math.min(size, MAX_COST + 1L));
	}

}
