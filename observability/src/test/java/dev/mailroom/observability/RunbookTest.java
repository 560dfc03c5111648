package dev.mailroom.observability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class RunbookTest {

	private static final Pattern STATEMENT = Pattern.compile("`((?:select|update|with|delete|insert) [^`]+)`");

	private static final Pattern SCRIPT = Pattern.compile("```sql\\n(.+?)```", Pattern.DOTALL);

	static List<String> statements() throws IOException {
		try (Stream<Path> runbooks = Files.list(Path.of("runbooks"))) {
			return Stream.concat(runbooks.sorted(), Stream.of(Path.of("../docs/operations.md")))
				.flatMap((page) -> STATEMENT.matcher(text(page)).results().map((match) -> match.group(1)))
				.toList();
		}
	}

	/** Statements of several lines in a page, for an account. */
	private static List<String> scripts(String page, UUID account) {
		return SCRIPT.matcher(text(Path.of("runbooks", page)))
			.results()
			.map((match) -> match.group(1).replace("'ID'", "'" + account + "'"))
			.toList();
	}

	@Test
	void theErasureOfARecipientLeavesOnlyTheSuppressionAndOtherMails() {
		Scope scope = Given.sender("unlimited");
		String address = "erased-" + UUID.randomUUID() + "@x.test";
		UUID mail = Given.mail(scope, address, "other@x.test");
		UUID other = Given.mail(scope, "other@x.test");
		UUID book = contact(scope, address);
		Given.run("update email set to_emails = '{\"Ann <%s>\"}' where id = '%s'", address, mail);
		Given.run("update email_content set outside = '{text}' where email_id = '%s'", mail);
		Given.run(
				"insert into delivery_attempt select id, account_id, email_id, id, 1, now(), 1, 'bounced', 'mx', 'h', '', "
						+ "'', '550 <%1$s>', 'RCPT TO:<%1$s>' from delivery where email_id = '%2$s'",
				address, mail);
		Given.run(
				"insert into webhook_endpoint (id, account_id, url, events, sealed_secret, created_at) "
						+ "values ('%1$s', '%2$s', 'https://x.test/', '{email.bounced}', '\\x00', now())",
				book, scope.account());
		Given.run(
				"insert into event (id, account_id, kind, email_id, data, created_at) values (gen_random_uuid(), '%s', "
						+ "'email.bounced', '%s', '{\"recipient\": \"%s\"}', now())",
				scope.account(), mail, address);
		Given.run("update webhook_delivery set body = '%s' where account_id = '%s'", address, scope.account());
		Given.run("insert into suppression values (gen_random_uuid(), '%s', '%s', 'manual', now())", scope.account(),
				address);
		Given.run("insert into unexplained_refusal values ('%s', '%s', current_date)", scope.account(), address);
		UUID received = Given.inbound(scope.account(), scope.domain());
		Given.run("update inbound_email set from_email = '%s' where id = '%s'", address, received);
		Given.run("%s", scripts("erasure.md", scope.account()).getFirst().replace("ADDRESS", address));
		assertThat(tables("exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id')"))
			.filteredOn((table) -> count(table + " as line where line::text ilike '%" + address + "%'") > 0)
			.containsExactly("suppression");
		assertThat(count("contact_book where contacts = 0 and id = '" + book + "'")).isOne();
		assertThat(count("blob_loose where owner_id = '" + mail + "' and due_at <= now()")).isOne();
		assertThat(count("queue where email_id = '" + mail + "'")).isZero();
		assertThat(count("queue where email_id = '" + other + "'")).isOne();
	}

	@Test
	void theErasureOfAnAccountLeavesOnlyItsAudit() {
		Scope scope = Given.sender("unlimited");
		UUID mail = Given.mail(scope, "b@x.test");
		contact(scope, "c@x.test");
		Given.inbound(scope.account(), scope.domain());
		UUID person = UUID.randomUUID();
		Given.run(
				"insert into account (id, email, email_key, plan, role, created_at) values ('%1$s', '', '%1$s', 'free', "
						+ "'member', now()); insert into member values ('%1$s', '%2$s', 'viewer', now())",
				person, scope.account());
		Given.run(
				"insert into audit (id, account_id, actor_id, actor_kind, act) values (gen_random_uuid(), '%1$s', '%1$s', "
						+ "'person', 'domain.created')",
				scope.account());
		Given.run("update email_content set outside = '{text}' where email_id = '%s'", mail);
		Given.run("%s", scripts("erasure.md", scope.account()).getLast());
		assertThat(tables("true"))
			.filteredOn((table) -> count(table + " as line where line::text like '%" + scope.account() + "%'") > 0)
			.containsExactlyInAnyOrder("audit", "blob_loose");
		assertThat(count("account where id = '" + person + "'")).isZero();
		assertThat(count("blob_loose where owner_id = '" + mail + "' and due_at <= now()")).isOne();
	}

	private static UUID contact(Scope scope, String address) {
		UUID id = UUID.randomUUID();
		Given
			.run("insert into contact_book (id, account_id, name, contacts, created_at, updated_at) values ('%1$s', '%2$s', "
					+ "'News', 1, now(), now()); insert into contact (id, account_id, contact_book_id, email, email_key, created_at, "
					+ "updated_at) values ('%1$s', '%2$s', '%1$s', '%3$s', '%3$s', now(), now())", id, scope.account(),
					address);
		return id;
	}

	private static List<String> tables(String condition) {
		return Given.rows("select oid::regclass from pg_class where relnamespace = 'public'::regnamespace "
				+ "and relkind in ('r', 'p') and not relispartition and %s", condition);
	}

	private static int count(String from) {
		return Integer.parseInt(Given.rows("select count(*) from %s", from).getFirst());
	}

	@ParameterizedTest
	@MethodSource("statements")
	void theStatementsOfRunbooksFitTheSchema(String statement) {
		String filled = statement.replaceAll("\\bPID\\b", "1")
			.replace("'ID'", "gen_random_uuid()")
			.replaceAll("'[A-Z ]{4,}'", "'2030-01-01T00:00:00Z'");
		assertThatCode(() -> TestDatabase.execute("mailroom", "explain " + filled)).doesNotThrowAnyException();
	}

	private static String text(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
