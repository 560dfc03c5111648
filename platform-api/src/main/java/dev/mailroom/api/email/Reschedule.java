package dev.mailroom.api.email;

import com.fasterxml.jackson.annotation.JsonAlias;
import org.jspecify.annotations.Nullable;

/** Body of PATCH /emails/:id. */
public record Reschedule(@JsonAlias( {
		"scheduled_at", "scheduledAt" }) @Nullable String sendAt){
}
