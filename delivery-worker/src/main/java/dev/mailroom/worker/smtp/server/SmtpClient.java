package dev.mailroom.worker.smtp.server;

import java.net.InetSocketAddress;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Client of an SMTP session.
 *
 * @param address remote address of the connection
 * @param helo name given with EHLO or HELO
 * @param tls whether the connection is encrypted
 * @param principal the authenticated account; null before AUTH
 */
public record SmtpClient(InetSocketAddress address, String helo, boolean tls, @Nullable Scope principal) {
}
