package dev.mailroom.schema;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MigrationsTest {

	private static final Pattern NAME = Pattern.compile("V([1-9][0-9]*)__[a-z]+(_[a-z]+)*\\.sql");

	@Test
	void filesAreNumberedConsecutivelyAndNamedForTheirFeature() throws IOException {
		List<String> names = Arrays
			.stream(new PathMatchingResourcePatternResolver().getResources("classpath*:db/migration/*"))
			.map(Resource::getFilename)
			.toList();
		assertThat(names).allMatch(NAME.asMatchPredicate(), "V<number>__<feature>.sql");
		List<Integer> numbers = names.stream()
			.map((name) -> Integer.valueOf(name.substring(1, name.indexOf('_'))))
			.sorted()
			.toList();
		assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, names.size()).boxed().toList());
	}

	@Test
	void everyTableAndViewHasAComment() {
		assertThat(Given.rows("""
				select relname from pg_class
				 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
				   and relname <> 'flyway_schema_history' and obj_description(oid, 'pg_class') is null
				""")).isEmpty();
	}

	@Test
	void aDatabaseWithOtherMigrationsIsRefusedWithTheRemedy() {
		TestDatabase.execute("postgres", "create database unreleased owner " + TestDatabase.OWNER);
		migrate();
		TestDatabase.execute("unreleased", "update flyway_schema_history set checksum = 0 where version = '1'");
		assertThatExceptionOfType(FlywayException.class).isThrownBy(MigrationsTest::migrate)
			.withMessageContaining("/unreleased")
			.withMessageContaining("other migrations than those of this version")
			.withMessageContaining("delete its data directory")
			.withStackTraceContaining("checksum mismatch");
	}

	private static void migrate() {
		Migrate.run(TestDatabase.URL.replace("/mailroom", "/unreleased"),
				new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), TestDatabase.APP);
	}

}
