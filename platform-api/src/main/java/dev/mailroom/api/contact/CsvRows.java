package dev.mailroom.api.contact;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import de.siegmar.fastcsv.reader.CsvRecord;
import dev.mailroom.Refusal;
import dev.mailroom.contact.ContactEntry;
import dev.mailroom.contact.ContactForm;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the lines below a file's header. An empty cell says nothing: what was known
 * stays.
 *
 * @param resubscribe whether those who have unsubscribed are to be written to again
 */
record CsvRows(CsvHeader header, boolean resubscribe, JsonMapper json) {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	/** What stands in one line, or what is wrong with it. */
	record Row(long line, ContactEntry.Reading reading) {
	}

	Row read(CsvRecord record) {
		long line = record.getStartingLineNumber();
		try {
			return new Row(line, ContactEntry.read(form(record.getFields()), ""));
		}
		catch (Unreadable unreadable) {
			return new Row(line, new ContactEntry.Reading(null, List.of(unreadable.detail())));
		}
	}

	private ContactForm form(List<String> cells) {
		if (cells.size() > this.header.columns()) {
			throw new Unreadable("line", "has more fields than the first line names");
		}
		return new ContactForm(cell(CsvHeader.Field.EMAIL, cells), cell(CsvHeader.Field.FIRST_NAME, cells),
				cell(CsvHeader.Field.LAST_NAME, cells), subscribed(cell(CsvHeader.Field.SUBSCRIBED, cells)),
				properties(cells), this.resubscribe);
	}

	private @Nullable String cell(CsvHeader.Field field, List<String> cells) {
		return this.header.cell(field, cells);
	}

	private static @Nullable Boolean subscribed(@Nullable String cell) {
		return (cell == null) ? null : switch (cell.strip().toLowerCase(Locale.ROOT)) {
			case "true", "yes", "1" -> true;
			case "false", "no", "0" -> false;
			default -> throw new Unreadable("subscribed", "must be true or false");
		};
	}

	private @Nullable Map<String, @Nullable Object> properties(List<String> cells) {
		@Nullable String cell = cell(CsvHeader.Field.PROPERTIES, cells);
		Map<String, String> further = this.header.further(cells);
		if (cell == null && further.isEmpty()) {
			return null;
		}
		Map<String, @Nullable Object> properties = new LinkedHashMap<>(object(cell));
		properties.putAll(further);
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
			// Said below, like null.
		}
		throw new Unreadable("properties", "must be an object of JSON");
	}

	/** A cell that cannot be read. */
	private static final class Unreadable extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient Refusal.Detail detail;

		Unreadable(String field, String message) {
			super(message, null, false, false);
			this.detail = new Refusal.Detail(field, message);
		}

		Refusal.Detail detail() {
			return this.detail;
		}

	}

}
