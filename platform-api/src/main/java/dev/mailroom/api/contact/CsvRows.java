package dev.mailroom.api.contact;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import de.siegmar.fastcsv.reader.CsvRecord;
import dev.mailroom.Refusal;
import dev.mailroom.contact.Consent;
import dev.mailroom.contact.ContactEntry;
import dev.mailroom.contact.ContactForm;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses the lines below the header of a file. An empty cell leaves the field as it is.
 *
 * @param resubscribe whether to subscribe contacts even if they have unsubscribed
 * @param origin whether the account states that the contacts have agreed
 */
record CsvRows(CsvHeader header, boolean resubscribe, Consent.Origin origin, JsonMapper json) {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	/**
	 * One line of a file.
	 *
	 * @param line number of the line, counted from 1 with the header
	 */
	record Row(long line, ContactEntry.Parsed contact) {
	}

	Row parse(CsvRecord record) {
		long line = record.getStartingLineNumber();
		try {
			return new Row(line, ContactEntry.parse(form(record.getFields()), ""));
		}
		catch (UnreadableCell ex) {
			return new Row(line, new ContactEntry.Invalid(List.of(ex.detail())));
		}
	}

	private ContactForm form(List<String> cells) {
		if (cells.size() > this.header.columns()) {
			throw new UnreadableCell("line", "has more fields than the first line names");
		}
		return new ContactForm(cell(CsvHeader.Field.EMAIL, cells), cell(CsvHeader.Field.FIRST_NAME, cells),
				cell(CsvHeader.Field.LAST_NAME, cells), subscribed(cell(CsvHeader.Field.SUBSCRIBED, cells)),
				properties(cells), this.resubscribe, this.origin);
	}

	private @Nullable String cell(CsvHeader.Field field, List<String> cells) {
		return this.header.cell(field, cells);
	}

	private static @Nullable Boolean subscribed(@Nullable String cell) {
		return (cell == null) ? null : switch (cell.strip().toLowerCase(Locale.ROOT)) {
			case "true", "yes", "1" -> true;
			case "false", "no", "0" -> false;
			default -> throw new UnreadableCell("subscribed", "must be true or false");
		};
	}

	private @Nullable Map<String, @Nullable Object> properties(List<String> cells) {
		@Nullable String cell = cell(CsvHeader.Field.PROPERTIES, cells);
		Map<String, String> columns = this.header.properties(cells);
		if (cell == null && columns.isEmpty()) {
			return null;
		}
		Map<String, @Nullable Object> properties = new LinkedHashMap<>(object(cell));
		properties.putAll(columns);
		return properties;
	}

	private Map<String, @Nullable Object> object(@Nullable String cell) {
		try {
			@Nullable Map<String, @Nullable Object> object = this.json.readValue((cell != null) ? cell : "{}", OBJECT);
			if (object != null) {
				return object;
			}
		}
		catch (JacksonException _) {
			// Reported below, as for null.
		}
		throw new UnreadableCell("properties", "must be a JSON object");
	}

	/** A cell that cannot be read. */
	private static final class UnreadableCell extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient Refusal.Detail detail;

		UnreadableCell(String field, String message) {
			super(message, null, false, false);
			this.detail = new Refusal.Detail(field, message);
		}

		Refusal.Detail detail() {
			return this.detail;
		}

	}

}
