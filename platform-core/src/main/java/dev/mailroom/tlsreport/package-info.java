/**
 * Reports of senders about TLS (RFC 8460) with the servers of accounts' domains: their
 * failures and figures. Read {@code TlsReports} first; the worker reads the mails.
 */
@ApplicationModule(allowedDependencies = { "database", "dmarcreport", "domain", "secret" })
@NullMarked
@Core.Tables(writes = { "tls_report", "tls_report_failure" })
package dev.mailroom.tlsreport;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
