package dev.mailroom;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;

import org.springframework.modulith.ApplicationModule;

/**
 * Dependencies between packages through SQL. The text is taken from the string constants
 * of the compiled classes: all of a {@code *Store}, and in other classes those that begin
 * like a statement or a clause.
 */
final class SqlRules {

	private static final Pattern CLAUSE = Pattern
		.compile("\\s*(select|insert|update|delete|with|left|join|from|using|and|where|,)\\s.*", Pattern.DOTALL);

	private final Map<String, String> owners = new HashMap<>();

	private final Map<String, Set<String>> dependencies = new HashMap<>();

	private final Map<String, Set<String>> constants = new TreeMap<>();

	SqlRules(JavaClasses classes) {
		JavaPackage root = classes.getPackage(SqlRules.class.getPackageName());
		root.getSubpackagesInTree().forEach(this::declarations);
		classes.stream()
			.filter((type) -> !type.getPackage().equals(root) && this.dependencies.containsKey(name(type.getPackage())))
			.forEach((type) -> this.constants
				.computeIfAbsent(name(type.getPackage()) + "." + outermost(type), (_) -> new HashSet<>())
				.addAll(StringConstants.of(type)));
	}

	/** Tables, views and functions with the package that owns them. */
	Map<String, String> owners() {
		return Map.copyOf(this.owners);
	}

	/** Uses of another package's table without a declared dependency. */
	Set<String> violations() {
		Set<String> violations = new TreeSet<>();
		this.constants.forEach((type, texts) -> {
			String user = type.substring(0, type.lastIndexOf('.'));
			for (String table : tables(type, texts)) {
				String owner = this.owners.get(table);
				if (!owner.equals(user) && !this.dependencies.get(user).contains(owner)) {
					violations.add(type + " uses " + table + " of " + owner);
				}
			}
		});
		return violations;
	}

	/**
	 * The tables that a class names. If a class other than a store leaves the name of a
	 * table open, each of its constants that is such a name counts; in a store, the open
	 * part is a clause, and the constants include names of parameters.
	 */
	private Set<String> tables(String type, Set<String> texts) {
		Set<String> names = texts.stream()
			.filter((text) -> type.endsWith("Store") || CLAUSE.matcher(text).matches())
			.map(SqlNames::in)
			.flatMap(Collection::stream)
			.collect(Collectors.toCollection(TreeSet::new));
		if (names.contains(SqlNames.PLACEHOLDER) && !type.endsWith("Store")) {
			names.addAll(texts);
		}
		names.retainAll(this.owners.keySet());
		return names;
	}

	private void declarations(JavaPackage each) {
		each.tryGetAnnotationOfType(Core.Tables.class)
			.ifPresent((tables) -> Stream.concat(Arrays.stream(tables.value()), Arrays.stream(tables.functions()))
				.forEach((table) -> {
					String other = this.owners.put(table, name(each));
					if (other != null) {
						throw new AssertionError(table + " is declared by " + other + " and by " + name(each));
					}
				}));
		each.tryGetAnnotationOfType(ApplicationModule.class)
			.ifPresent((module) -> this.dependencies.put(name(each), Set.of(module.allowedDependencies())));
	}

	private static String name(JavaPackage each) {
		return each.getName().substring(SqlRules.class.getPackageName().length() + 1);
	}

	private static String outermost(JavaClass type) {
		return type.getEnclosingClass().map(SqlRules::outermost).orElseGet(type::getSimpleName);
	}

}
