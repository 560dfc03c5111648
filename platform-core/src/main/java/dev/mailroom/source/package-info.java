/**
 * Sources: local addresses from which mail is sent directly, pools of them, and the
 * choice of a pool for a mail. Read {@code SendingPools} first; the worker applies them.
 */
@ApplicationModule(allowedDependencies = { "account", "addresscheck", "database", "domain" })
@NullMarked
@Core.Tables(writes = { "sending_source", "sending_pool", "sending_pool_member", "pool_choice", "source_seen",
		"source_warmup", "source_warmup_day" })
package dev.mailroom.source;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
