package dev.mailroom.worker.smtpd;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens, and what it takes.
 *
 * @param host the address; empty for every one
 * @param port where it listens; 0 for any
 * @param name what it calls itself
 * @param tls with what STARTTLS is done; it is not offered where there is none
 * @param signInInClear whether a password may come in over an open connection
 * @param mostBytes that a mail may have
 * @param mostRecipients that a mail may have
 */
public record SmtpServerOptions(String host, int port, String name, @Nullable SslContext tls, boolean signInInClear,
		int mostBytes, int mostRecipients, SmtpLimits limits) {
}
