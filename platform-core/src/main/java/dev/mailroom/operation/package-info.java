/**
 * Acts of operators on accounts, plans, dead letters, destinations and the queue. Each
 * requires an {@code Operator} and writes its audit row in the transaction of the change.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "autopause", "hold", "outcome", "reputation" })
@NullMarked
@Core.Tables("account_note")
package dev.mailroom.operation;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
