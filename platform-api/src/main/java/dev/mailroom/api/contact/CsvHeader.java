package dev.mailroom.api.contact;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What each column of a file holds. A column that is no field of a contact becomes a
 * property of that name.
 */
final class CsvHeader {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private static final int MOST = 100;

	/** The fields that a column may hold. */
	enum Field {

		EMAIL("email", "emailaddress", "mail"), FIRST_NAME("firstname", "givenname"),
		LAST_NAME("lastname", "surname", "familyname"), SUBSCRIBED("subscribed"), PROPERTIES("properties");

		private final List<String> names;

		Field(String... names) {
			this.names = List.of(names);
		}

		private static @Nullable Field named(String column) {
			String plain = column.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
			for (Field field : values()) {
				if (field.names.contains(plain)) {
					return field;
				}
			}
			return null;
		}

	}

	private final Map<Field, Integer> fields = new EnumMap<>(Field.class);

	private final Map<String, Integer> properties = new LinkedHashMap<>();

	private final int columns;

	private CsvHeader(List<String> names) {
		this.columns = names.size();
		for (int i = 0; i < names.size(); i++) {
			String name = FormulaGuard.bare(names.get(i).strip());
			@Nullable Field field = Field.named(name);
			if (field != null) {
				this.fields.putIfAbsent(field, i);
			}
			else {
				this.properties.putIfAbsent(name, i);
			}
		}
	}

	/**
	 * Reads a file's first line.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static CsvHeader read(List<String> names) {
		CsvHeader header = new CsvHeader(names);
		if (!header.fields.containsKey(Field.EMAIL)) {
			throw wrong("The first line must name the columns, separated by commas, and one of them must be email");
		}
		if (header.columns > MOST) {
			throw wrong("A file may have " + MOST + " columns");
		}
		if (header.properties.containsKey("") || header.fields.size() + header.properties.size() < header.columns) {
			throw wrong("The first line must give each column a name of its own");
		}
		return header;
	}

	int columns() {
		return this.columns;
	}

	/** A field's cell; null where the file has no such column or the cell is empty. */
	@Nullable String cell(Field field, List<String> row) {
		@Nullable Integer column = this.fields.get(field);
		return (column != null) ? cell(column, row) : null;
	}

	/** The cells of all columns that are no field. */
	Map<String, String> further(List<String> row) {
		Map<String, String> further = new LinkedHashMap<>();
		this.properties.forEach((name, column) -> {
			@Nullable String cell = cell(column, row);
			if (cell != null) {
				further.put(name, cell);
			}
		});
		return further;
	}

	private static @Nullable String cell(int column, List<String> row) {
		String cell = (column < row.size()) ? row.get(column) : "";
		return cell.isEmpty() ? null : FormulaGuard.bare(cell);
	}

	private static RuntimeException wrong(String message) {
		return INVALID.because(message, List.of(new Refusal.Detail("line 1", message)));
	}

}
