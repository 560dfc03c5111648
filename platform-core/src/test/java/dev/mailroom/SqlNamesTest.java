package dev.mailroom;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SqlNamesTest {

	@Test
	void tablesOfEveryStatementAreFound() {
		assertThat(SqlNames.in("select a from email e left join delivery on true")).containsExactly("email",
				"delivery");
		assertThat(SqlNames.in("insert into email (id, name) values (:a, 'from x')")).contains("email")
			.doesNotContain("x");
		assertThat(SqlNames.in("update email set a = 1 from delivery, domain as d, plan where x = 1"))
			.containsExactly("email", "delivery", "domain", "plan");
		assertThat(SqlNames.in("delete from only email using plan p, domain")).containsExactly("email", "plan",
				"domain");
	}

	@Test
	void subqueriesAndCommonTableExpressionsAreSearched() {
		assertThat(SqlNames.in("with due as (select id from delivery where id in (select id from plan), x)"
				+ " select * from unnest(:a::uuid[], :b) as t(id, email), lateral (select 1 from domain) d, account"))
			.contains("delivery", "plan", "unnest", "domain", "account")
			.doesNotContain("x", "email", "id");
	}

	@Test
	void functionsAreFound() {
		assertThat(SqlNames.in("select domain_that_receives(:name), id from f(1)")).contains("domain_that_receives",
				"f");
	}

	@Test
	void columnsLocksAndCommentsAreNotTables() {
		assertThat(SqlNames.in("select a is distinct from b, email from x for update of email -- from plan\n where c"))
			.doesNotContain("email", "plan", "b");
		assertThat(SqlNames.in("insert into a (b) select 1 on conflict (b) do update set email = 2"))
			.doesNotContain("email");
	}

	@Test
	void tablesThatAreInsertedAtRunTimeAreMarked() {
		assertThat(SqlNames.in("select * from %s where a")).containsExactly(SqlNames.PLACEHOLDER);
		assertThat(SqlNames.in("select * from \1 where a")).containsExactly(SqlNames.PLACEHOLDER);
	}

}
