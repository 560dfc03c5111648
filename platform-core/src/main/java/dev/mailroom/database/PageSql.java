package dev.mailroom.database;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/** SQL of a page of a list that is sorted by creation time and id, newest first. */
public final class PageSql {

	private PageSql() {
	}

	/**
	 * The end of a query whose WHERE clause it continues: the condition of the cursor,
	 * the order, and limit and offset.
	 */
	public static String of(Page.Request page) {
		return of(page, "");
	}

	/**
	 * Like {@link #of(Page.Request)}.
	 * @param table the table of the two columns with a dot behind it
	 */
	public static String of(Page.Request page, String table) {
		String beyond = (page.cursor() == null) ? ""
				: " and (%1$screated_at, %1$sid) %2$s (:created, :cursor)".formatted(table, page.beyond());
		return beyond + " order by %1$screated_at %2$s, %1$sid %2$s limit :limit offset :offset".formatted(table,
				page.direction());
	}

	/**
	 * Binds what {@link #of} names.
	 * @param rows the number of rows to read
	 */
	public static GenericExecuteSpec bind(GenericExecuteSpec query, Page.Request page, int rows) {
		GenericExecuteSpec bound = query.bind("limit", rows).bind("offset", page.offset());
		Page.@Nullable Cursor cursor = page.cursor();
		return (cursor != null) ? bound.bind("created", cursor.createdAt()).bind("cursor", cursor.id()) : bound;
	}

}
