/**
 * Reading of mails with aggregate reports of DMARC (RFC 9990, RFC 7489) and reports about
 * TLS (RFC 8460), which anybody may send. Read {@code ReportMails} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.report;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
