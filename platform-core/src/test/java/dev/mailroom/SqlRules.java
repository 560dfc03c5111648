package dev.mailroom;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
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

	/** Classes that write tables of other packages, with the reason. */
	private static final Map<String, String> OTHER_WRITERS = Map.ofEntries(
			Map.entry("upkeep.SecretStore dkim_key",
					"a renewed master key replaces the sealed values of all packages in the same way"),
			Map.entry("upkeep.SecretStore second_factor", "the same"),
			Map.entry("upkeep.SecretStore webhook_endpoint", "the same"),
			Map.entry("upkeep.SecretStore acme_account", "the same"),
			Map.entry("upkeep.SecretStore tracking_domain", "the same"),
			Map.entry("upkeep.MailRemovalStore blob_loose",
					"the statement that removes a mail marks its content in the bucket"),
			Map.entry("upkeep.RetentionStore blob_loose", "the same for inbound mail"),
			Map.entry("upkeep.PartitionStore email_count", "the counts of earlier months are added up"),
			Map.entry("upkeep.PartitionStore webhook_delivery_count", "the same"),
			Map.entry("mail.accept.AcceptStore email", "one statement inserts the rows of accepted mails"),
			Map.entry("mail.accept.AcceptStore email_content", "the same"),
			Map.entry("mail.accept.AcceptStore attachment", "the same"),
			Map.entry("mail.accept.AcceptStore delivery", "the same"),
			Map.entry("campaign.CampaignFanOutStore email", "one statement inserts recipients with their mails"),
			Map.entry("campaign.CampaignFanOutStore delivery", "the same"));

	private final Map<String, String> owners = new HashMap<>();

	private final Map<String, Set<String>> removals = new HashMap<>();

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
	 * Writes to another package's table that are not declared, and declarations and
	 * exceptions without such a write.
	 */
	Set<String> foreignWrites() {
		Set<String> violations = new TreeSet<>();
		Set<String> unused = new TreeSet<>(OTHER_WRITERS.keySet());
		this.removals.forEach((user, tables) -> tables.forEach((table) -> unused.add(user + " removes " + table)));
		this.constants.forEach((type, texts) -> {
			String user = type.substring(0, type.lastIndexOf('.'));
			foreign(user, texts, SqlNames::changedBy).forEach((table) -> {
				if (!unused.remove(type + " " + table) && !OTHER_WRITERS.containsKey(type + " " + table)) {
					violations.add(type + " writes " + table + " of " + this.owners.get(table));
				}
			});
			foreign(user, texts, SqlNames::deletedFromBy).forEach((table) -> {
				unused.remove(user + " removes " + table);
				unused.remove(type + " " + table);
				if (!this.removals.getOrDefault(user, Set.of()).contains(table)
						&& !OTHER_WRITERS.containsKey(type + " " + table)) {
					violations.add(type + " deletes from " + table + " of " + this.owners.get(table));
				}
			});
		});
		unused.forEach((declared) -> violations.add("unused: " + declared));
		return violations;
	}

	private Set<String> foreign(String user, Set<String> texts, Function<String, Set<String>> names) {
		return texts.stream()
			.map(names)
			.flatMap(Collection::stream)
			.filter((table) -> this.owners.containsKey(table) && !user.equals(this.owners.get(table)))
			.collect(Collectors.toCollection(TreeSet::new));
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
		each.tryGetAnnotationOfType(Core.Tables.class).ifPresent((tables) -> {
			this.removals.put(name(each), Set.of(tables.removes()));
			Stream.concat(Arrays.stream(tables.writes()), Arrays.stream(tables.functions())).forEach((table) -> {
				String other = this.owners.put(table, name(each));
				if (other != null) {
					throw new AssertionError(table + " is declared by " + other + " and by " + name(each));
				}
			});
		});
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
