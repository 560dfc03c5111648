package dev.mailroom.worker.smtpd;

import java.net.InetSocketAddress;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Who speaks to the server.
 *
 * @param address where the connection comes from
 * @param helo the name it gave itself
 * @param tls whether the connection is encrypted
 * @param principal whom it has signed in as; null where it has not
 */
public record SmtpClient(InetSocketAddress address, String helo, boolean tls, @Nullable Scope principal) {
}
