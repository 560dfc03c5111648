package dev.mailroom.api.contact;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

import com.code_intelligence.jazzer.junit.FuzzTest;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.mailroom.EmailAddress;
import dev.mailroom.Mutations;
import dev.mailroom.Refused;
import dev.mailroom.api.http.TestJson;
import dev.mailroom.contact.Consent;
import dev.mailroom.contact.ContactEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of imported files. */
class CsvFuzzTest {

	private static final JsonMapper JSON = TestJson.mapper();

	@FuzzTest(maxDuration = "10m")
	void files(byte[] input) {
		check(input);
	}

	@Test
	void mutatedFiles() {
		Mutations.check(getClass(), "files", 1000, CsvFuzzTest::check);
	}

	/** A file is refused, and each of its lines is a contact or is reported. */
	private static void check(byte[] input) {
		try {
			@Nullable CsvRows rows = null;
			for (CsvRecord record : CsvImport.Source.open(new ByteArrayInputStream(input)).reader()) {
				if (rows == null) {
					rows = new CsvRows(CsvHeader.parse(record.getFields()), false,
							Consent.Origin.of(Consent.Source.IMPORT), JSON);
				}
				else {
					checkRow(rows.parse(record));
				}
			}
		}
		catch (CsvParseException | UncheckedIOException _) {
			// No CSV in UTF-8.
		}
		catch (Refused ex) {
			assertThat(ex.refusal().error()).isEqualTo("Invalid request data");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void checkRow(CsvRows.Row row) {
		assertThat(row.line()).isGreaterThan(1);
		switch (row.contact()) {
			case ContactEntry.Valid(var contact) -> {
				assertThat(EmailAddress.parse(contact.email())).isPresent();
				assertThat(contact.emailKey()).isEqualTo(EmailAddress.parse(contact.email()).orElseThrow().key());
				assertThat(contact.toString().indexOf('\0')).as("no NUL").isNegative();
			}
			case ContactEntry.Invalid(var errors) -> assertThat(errors).isNotEmpty();
		}
	}

}
