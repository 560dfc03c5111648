package dev.mailroom.closure;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AccountExportTest {

	@Autowired
	AccountExport export;

	private final UUID account = Given.account("free");

	@Test
	void anArchiveHasAllKindsOfDataOfTheAccountAndNoSecret() throws IOException {
		UUID other = Given.account("free");
		for (UUID owner : List.of(this.account, other)) {
			AccountDeletionsTest.fill(owner);
		}
		Given.run("update api_key set secret_hash = 'SECRET' where account_id = '%1$s'; "
				+ "update webhook_endpoint set sealed_secret = 'SECRET', sealed_previous = 'SECRET', previous_until = now() where account_id = '%1$s'; "
				+ "update dkim_key set sealed_private_key = 'SECRET' where account_id = '%1$s'; "
				+ "update second_factor set sealed_secret = 'SECRET' where account_id = '%1$s'; "
				+ "update account set password_hash = 'SECRET' where id = '%1$s'; "
				+ "update session set secret_hash = 'SECRET' where account_id = '%1$s'", this.account);
		Map<String, String> files = files();
		assertThat(files.keySet()).containsExactly("account.ndjson", "members.ndjson", "domains.ndjson",
				"api_keys.ndjson", "webhook_endpoints.ndjson", "templates.ndjson", "contact_books.ndjson",
				"contacts.ndjson", "segments.ndjson", "campaigns.ndjson", "suppressions.ndjson", "emails.ndjson",
				"received_emails.ndjson", "events.ndjson", "audit_log.ndjson");
		assertThat(files.get("members.ndjson").lines()).hasSize(2);
		assertThat(files.get("emails.ndjson")).contains("\"recipient\": \"b@c.test\"");
		String hex = HexFormat.of().formatHex("SECRET".getBytes(StandardCharsets.UTF_8));
		files.forEach((name, text) -> {
			assertThat(text).as(name).isNotEmpty().doesNotContain("SECRET", hex, other.toString());
			assertThat(text.toLowerCase(Locale.ROOT)).as(name).doesNotContain("sealed", "hash\"", "password_");
		});
	}

	@Test
	void anArchiveHasManyRowsInTheirOrderAndEachOnce() throws IOException {
		Given.run("insert into suppression select gen_random_uuid(), '%s', n || '@b.test', 'manual', "
				+ "'2026-01-01'::timestamptz + n / 3 * interval '1 microsecond' from generate_series(1, 1000) as n",
				this.account);
		Given
			.run("insert into event (id, account_id, kind, created_at) select uuidv7(), '%s', 'domain.verified', now() "
					+ "from generate_series(1, 450)", this.account);
		Map<String, String> files = files();
		assertThat(files.get("suppressions.ndjson").lines()).hasSize(1000).doesNotHaveDuplicates();
		assertThat(files.get("events.ndjson").lines()).hasSize(450).doesNotHaveDuplicates();
	}

	/** The files of the archive, by name. */
	private Map<String, String> files() throws IOException {
		ByteArrayOutputStream archive = new ByteArrayOutputStream();
		List<byte[]> chunks = await(this.export.write(Scope.of(this.account)).flatMap((bytes) -> bytes.collectList()));
		chunks.forEach(archive::writeBytes);
		Map<String, String> files = new LinkedHashMap<>();
		try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive.toByteArray()))) {
			for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
				files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
			}
		}
		return files;
	}

}
