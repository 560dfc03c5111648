/**
 * The directory of cells, in which each verified address and domain belongs to one cell.
 * Read {@code Directory} first.
 */
@ApplicationModule(allowedDependencies = { "database", "secret" })
@NullMarked
@Core.Tables(writes = { "directory_cell", "directory_account", "directory_name" },
		functions = { "claim_names", "directory_address", "directory_caller", "directory_differences", "directory_home",
				"directory_seen", "move_directory_account", "release_names" })
package dev.mailroom.directory;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
