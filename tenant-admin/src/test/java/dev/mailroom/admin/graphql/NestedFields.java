package dev.mailroom.admin.graphql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.mailroom.admin.graphql.FieldDocuments.Ids;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLTypeUtil;
import tools.jackson.databind.JsonNode;

/**
 * The object types below a field of the schema, with the ways to each of them: the
 * shortest one, and one over each other field of that type.
 *
 * @param paths the ways by the name of the type, the shortest first
 */
record NestedFields(Map<String, List<Path>> paths) {

	/**
	 * Finds the types below a type.
	 * @param without names of fields of the root that are not followed
	 */
	static NestedFields below(GraphQLSchema schema, String root, Set<String> without) {
		Map<String, List<Path>> paths = new TreeMap<>();
		Deque<Path> found = new ArrayDeque<>(List.of(new Path(List.of(), schema.getObjectType(root))));
		while (!found.isEmpty()) {
			Path path = found.remove();
			for (GraphQLFieldDefinition field : path.type().getFieldDefinitions()) {
				boolean followed = !path.fields().isEmpty() || !without.contains(field.getName());
				if (followed && GraphQLTypeUtil.unwrapAll(field.getType()) instanceof GraphQLObjectType type) {
					Path next = path.then(field, type);
					List<Path> others = paths.computeIfAbsent(type.getName(), (_) -> new ArrayList<>());
					if (others.isEmpty()) {
						found.add(next);
					}
					others.add(next);
				}
			}
		}
		return new NestedFields(paths);
	}

	/** Names of the types. */
	Set<String> types() {
		return new TreeSet<>(this.paths.keySet());
	}

	/**
	 * A way from the root to an object type.
	 *
	 * @param fields the fields from the root on
	 * @param type the type of the last of them
	 */
	record Path(List<GraphQLFieldDefinition> fields, GraphQLObjectType type) {

		private Path then(GraphQLFieldDefinition field, GraphQLObjectType next) {
			List<GraphQLFieldDefinition> longer = new ArrayList<>(this.fields);
			longer.add(field);
			return new Path(longer, next);
		}

		/** The selection of those fields of the type that have these names. */
		String selection(Set<String> names, Ids ids) {
			String selected = this.type.getFieldDefinitions()
				.stream()
				.filter((field) -> names.contains(field.getName()))
				.map((field) -> FieldDocuments.call(field, ids))
				.collect(Collectors.joining(" "));
			for (GraphQLFieldDefinition field : this.fields.reversed()) {
				selected = field.getName() + FieldDocuments.arguments(field, ids) + " { " + selected + " }";
			}
			return selected;
		}

		/** The names of the type's fields that an object of the data has. */
		Set<String> shown(JsonNode root) {
			List<JsonNode> objects = List.of(root);
			for (GraphQLFieldDefinition field : this.fields) {
				objects = objects.stream()
					.map((object) -> object.path(field.getName()))
					.flatMap((value) -> value.isArray() ? value.valueStream() : List.of(value).stream())
					.filter(JsonNode::isObject)
					.toList();
			}
			return objects.stream()
				.flatMap((object) -> object.propertyNames().stream())
				.collect(Collectors.toCollection(TreeSet::new));
		}

		/** Names of the type's fields. */
		Set<String> names() {
			return this.type.getFieldDefinitions()
				.stream()
				.map(GraphQLFieldDefinition::getName)
				.collect(Collectors.toCollection(TreeSet::new));
		}

	}

}
