package dev.mailroom.worker.smtp.client;

import dev.mailroom.mail.outcome.Attempt;
import dev.mailroom.mail.outcome.Outcome;

/** Outcome of handing a mail over, with the record of the attempt. */
public record HandOverResult(Outcome outcome, Attempt attempt) {
}
