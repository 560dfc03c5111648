/** Moves of accounts from one cell to another. Read {@code Move} first. */
@ApplicationModule(allowedDependencies = { "audit", "blob", "database", "directory", "secret" })
@NullMarked
@Core.Tables(writes = { "account_change", "account_move" },
		functions = { "account_is_idle", "account_people", "campaign_snapshots", "clear_account", "copied_row",
				"copied_tables", "expect_account", "follow_late", "follow_table", "hold_campaigns", "late_changes",
				"leave_account", "loosen_objects", "movable_plan", "moved_keys", "record_move", "resume_account",
				"sealed_secrets", "stop_account", "stored_objects", "take_late_changes", "taken_name", "unfollow_table",
				"unique_names" })
package dev.mailroom.move;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
