package dev.mailroom;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.mailroom.event.EventKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.modulith.core.ApplicationModules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packages = "dev.mailroom", importOptions = ImportOption.DoNotIncludeTests.class)
@Execution(ExecutionMode.CONCURRENT)
class HouseTest {

	/** Tables, views and functions of the schema, without those of extensions. */
	private static final String OBJECTS = """
			select relname from pg_class
			 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition
			union
			select proname from pg_proc
			 where pronamespace = 'public'::regnamespace and prokind = 'f' and prorettype <> 'trigger'::regtype
			   and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
			""";

	@ArchTest
	static final ArchTests HOUSE = ArchTests.in(HouseRules.class);

	@ArchTest
	static final ArchRule CORE_IS_INDEPENDENT_OF_PROTOCOLS = noClasses().that()
		.resideOutsideOfPackage("dev.mailroom.database")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.web..", "org.springframework.http..", "org.apache.kafka..",
				"org.springframework.kafka..", "graphql..", "io.netty..", "io.micrometer..")
		.because("each app exposes the core through its own protocol");

	@ArchTest
	static final ArchRule ONE_PACKAGE_READS_MESSAGES = noClasses().that()
		.resideOutsideOfPackage("dev.mailroom.mail.mime")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("jakarta.mail..")
		.because("the library sets no limits on what it reads");

	@ArchTest
	static void sqlNamesOnlyTablesOfDeclaredDependencies(JavaClasses classes) {
		assertThat(new SqlRules(classes).violations()).isEmpty();
	}

	@ArchTest
	static void onePackageWritesATable(JavaClasses classes) {
		assertThat(new SqlRules(classes).foreignWrites()).isEmpty();
	}

	@ArchTest
	static void everyTableHasOneOwner(JavaClasses classes) throws SQLException {
		Set<String> objects = new TreeSet<>();
		try (Connection connection = TestDatabase.connect("mailroom");
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(OBJECTS)) {
			while (rows.next()) {
				objects.add(rows.getString(1));
			}
		}
		assertThat(new SqlRules(classes).owners().keySet()).containsExactlyInAnyOrderElementsOf(objects);
	}

	@ArchTest
	static void everyEventKindHasAProducer(JavaClasses classes) {
		Set<String> produced = new TreeSet<>();
		classes.get(EventKind.class)
			.getFields()
			.stream()
			.filter((field) -> field.getAccessesToSelf()
				.stream()
				.anyMatch((access) -> !access.getOriginOwner().isEquivalentTo(EventKind.class)))
			.forEach((field) -> produced.add(field.getName()));
		assertThat(produced).contains(Arrays.stream(EventKind.values()).map(EventKind::name).toArray(String[]::new));
	}

	@Test
	void packagesKeepToTheirDeclaredDependencies() {
		ApplicationModules.of("dev.mailroom").verify();
	}

}
