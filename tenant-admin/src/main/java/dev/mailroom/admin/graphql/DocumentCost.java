package dev.mailroom.admin.graphql;

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
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Depth, aliases and cost of a document. The cost is the number of objects that the
 * response can have: a list has as many as its argument {@code first}, or without it as
 * many as the list can have. Bodies of mails and searches count as many objects. The
 * measurement runs before the document is validated and ends as soon as a limit is
 * exceeded, which bounds its time.
 */
public final class DocumentCost {

	static final int MAX_DEPTH = 12;

	static final int MAX_COST = 1000;

	static final int MAX_ALIASES = 30;

	/** Fields and fragments, those of a repeated fragment counted each time. */
	private static final int MAX_SELECTIONS = 2000;

	/** Fields of a connection, which add no objects of their own. */
	private static final Set<String> CONNECTION_FIELDS = Set.of("edges", "node", "nodes", "pageInfo");

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final GraphQLSchema schema;

	private final DocumentVariables variables;

	private final Map<String, FragmentDefinition> fragments;

	private final boolean mayIntrospect;

	private final Set<String> openFragments = new HashSet<>();

	private int selections;

	private int aliases;

	private long cost;

	private int sends;

	private DocumentCost(GraphQLSchema schema, Document document, Map<String, Object> variables,
			boolean mayIntrospect) {
		this.schema = schema;
		this.variables = new DocumentVariables(document, variables);
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
	public static Total check(GraphQLSchema schema, Document document, Map<String, Object> variables,
			boolean mayIntrospect) {
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
		return new Total(measured.cost, measured.sends);
	}

	private void walk(@Nullable SelectionSet set, @Nullable GraphQLFieldsContainer parent, int depth, long objects) {
		if (set == null) {
			return;
		}
		for (Selection<?> selection : set.getSelections()) {
			if (++this.selections > MAX_SELECTIONS) {
				throw Refusal.INVALID_REQUEST.because("The document selects more than " + MAX_SELECTIONS + " fields");
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
			throw Refusal.INVALID_REQUEST.because("The document has more than " + MAX_ALIASES + " aliases");
		}
		if (depth == 1 && (field.getName().equals("__schema") || field.getName().equals("__type"))) {
			if (!this.mayIntrospect) {
				throw FORBIDDEN.because("Only operators may read the schema");
			}
			return;
		}
		if (depth > MAX_DEPTH) {
			throw Refusal.INVALID_REQUEST.because("The document is nested more than " + MAX_DEPTH + " levels deep");
		}
		String name = ((parent != null) ? parent.getName() : "") + "." + field.getName();
		this.sends += FieldCosts.isSend(name) ? 1 : 0;
		@Nullable GraphQLFieldDefinition definition = (parent != null) ? parent.getFieldDefinition(field.getName()) : null;
		long inside = (field.getSelectionSet() != null) ? multiply(objects, size(name, field, definition)) : objects;
		if (field.getSelectionSet() != null && !CONNECTION_FIELDS.contains(field.getName())) {
			this.cost += inside;
		}
		this.cost += multiply(inside, FieldCosts.content(name))
				+ multiply(objects, isSearch(field) ? FieldCosts.search(name) : 0);
		if (this.cost > MAX_COST) {
			throw Refusal.INVALID_REQUEST.because("The response could have more than " + MAX_COST
					+ " objects, or contents that count as many: ask for shorter lists with first, or for less at once");
		}
		walk(field.getSelectionSet(), container(definition), depth + 1, inside);
	}

	/** The objects that a field can return for each object that has it. */
	private long size(String name, Field field, @Nullable GraphQLFieldDefinition definition) {
		boolean list = definition != null
				&& GraphQLTypeUtil.isList(GraphQLTypeUtil.unwrapNonNull(definition.getType()));
		if (definition == null || (!list && definition.getArgument("first") == null)
				|| CONNECTION_FIELDS.contains(field.getName())) {
			return 1;
		}
		return definition.getArguments()
			.stream()
			.filter((argument) -> FieldCosts.SIZES.contains(argument.getName()))
			.map((size) -> Math.max(1, size(field, size)))
			.max(Long::compare)
			.orElseGet(() -> (long) FieldCosts.listSize(name));
	}

	/** The size that an argument states: its value, or else its default. */
	private long size(Field field, GraphQLArgument size) {
		if (size.getName().equals("days") && hasArgument(field, "from")) {
			return FieldCosts.MAX_DAYS;
		}
		return argument(field, size.getName()).flatMap(this.variables::number)
			.orElseGet(
					() -> defaultOf(size).orElseGet(() -> hasArgument(field, size.getName()) ? (long) MAX_COST : 0L));
	}

	private static Optional<Value<?>> argument(Field field, String name) {
		return field.getArguments()
			.stream()
			.filter((argument) -> argument.getName().equals(name))
			.<Value<?>>map(Argument::getValue)
			.findFirst();
	}

	private boolean isSearch(Field field) {
		return FieldCosts.SEARCH_ARGUMENTS.stream().anyMatch((argument) -> hasArgument(field, argument));
	}

	/** Whether an argument has a value that is not null. */
	private boolean hasArgument(Field field, String name) {
		return argument(field, name).filter(this.variables::isPresent).isPresent();
	}

	private static Optional<Long> defaultOf(GraphQLArgument size) {
		return (size.getArgumentDefaultValue().getValue() instanceof IntValue number)
				? Optional.of(number.getValue().longValue()) : Optional.empty();
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

	/**
	 * Cost of a document.
	 *
	 * @param objects objects that the response can have, and contents as objects
	 * @param sends mails that the document sends
	 */
	public record Total(long objects, int sends) {
	}

}
