package dev.mailroom.mail.log;

import java.util.UUID;

/**
 * The campaign that a mail belongs to.
 *
 * @param id the campaign
 */
public record MailCampaign(UUID emailId, UUID id, String name) {
}
