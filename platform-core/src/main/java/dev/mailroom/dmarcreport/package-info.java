/**
 * Aggregate reports of DMARC (RFC 9990) about the domains of accounts: their addresses,
 * rows and figures. Read {@code DmarcReports} first; the worker reads the mails.
 */
@ApplicationModule(allowedDependencies = { "addresscheck", "database", "dmarc", "domain", "secret" })
@NullMarked
@Core.Tables(writes = { "dmarc_report", "dmarc_row", "unread_report" })
package dev.mailroom.dmarcreport;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
