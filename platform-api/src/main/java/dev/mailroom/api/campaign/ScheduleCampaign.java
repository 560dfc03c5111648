package dev.mailroom.api.campaign;

import com.fasterxml.jackson.annotation.JsonAlias;
import org.jspecify.annotations.Nullable;

/** The body of POST /campaigns/:id/schedule. */
record ScheduleCampaign(@JsonAlias( {
		"sendAt", "scheduled_at", "scheduledAt" }) @Nullable String sendAt){
}
