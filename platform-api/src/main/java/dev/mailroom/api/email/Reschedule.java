package dev.mailroom.api.email;

import com.fasterxml.jackson.annotation.JsonAlias;
import org.jspecify.annotations.Nullable;

/** The body of PATCH /emails/:id. */
record Reschedule(@JsonAlias( {
		"scheduled_at", "scheduledAt" }) @Nullable String sendAt){
}
