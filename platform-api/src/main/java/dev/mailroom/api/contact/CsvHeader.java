package dev.mailroom.api.contact;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.contact.FormulaGuard;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a file, which names its columns. A column that is not a field of a
 * contact becomes a property of that name.
 */
final class CsvHeader {

	private static final int MAX_COLUMNS = 100;

	/** Fields of a contact, each with the column names that denote it. */
	enum Field {

		EMAIL("email", "emailaddress", "mail"), FIRST_NAME("firstname", "givenname"),
		LAST_NAME("lastname", "surname", "familyname"), SUBSCRIBED("subscribed"), PROPERTIES("properties");

		private final List<String> names;

		Field(String... names) {
			this.names = List.of(names);
		}

		private static @Nullable Field named(String column) {
			String normalized = column.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
			for (Field field : values()) {
				if (field.names.contains(normalized)) {
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
			String name = FormulaGuard.unescape(names.get(i).strip());
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
	 * Parses the first line of a file.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static CsvHeader parse(List<String> names) {
		CsvHeader header = new CsvHeader(names);
		if (!header.fields.containsKey(Field.EMAIL)) {
			throw invalid("The first line must name the columns, separated by commas, and one of them must be email");
		}
		if (header.columns > MAX_COLUMNS) {
			throw invalid("A file may have at most " + MAX_COLUMNS + " columns");
		}
		if (header.properties.containsKey("") || header.fields.size() + header.properties.size() < header.columns) {
			throw invalid("The first line must give each column a different name");
		}
		return header;
	}

	int columns() {
		return this.columns;
	}

	/** The cell of a field; null if the file has no such column or the cell is empty. */
	@Nullable String cell(Field field, List<String> row) {
		@Nullable Integer column = this.fields.get(field);
		return (column != null) ? cell(column, row) : null;
	}

	/** The non-empty cells of all columns that are not fields, by column name. */
	Map<String, String> properties(List<String> row) {
		Map<String, String> cells = new LinkedHashMap<>();
		this.properties.forEach((name, column) -> {
			@Nullable String cell = cell(column, row);
			if (cell != null) {
				cells.put(name, cell);
			}
		});
		return cells;
	}

	private static @Nullable String cell(int column, List<String> row) {
		String cell = (column < row.size()) ? row.get(column) : "";
		return cell.isEmpty() ? null : FormulaGuard.unescape(cell);
	}

	private static Refused invalid(String message) {
		return Refusal.INVALID_REQUEST.because(message, List.of(new Refusal.Detail("line 1", message)));
	}

}
