/**
 * Reports of senders about TLS (RFC 8460) with the servers of accounts' domains: their
 * failures and figures. And reports to the domains of recipients. Read {@code TlsReports}
 * and {@code OutgoingTlsReports} first; the worker reads and sends the mails.
 */
@ApplicationModule(allowedDependencies = { "database", "dmarcreport", "domain", "secret" })
@NullMarked
@Core.Tables(writes = { "tls_report", "tls_report_failure", "tls_report_sent", "tls_session_day" })
package dev.mailroom.tlsreport;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
