package dev.mailroom.accept;

import java.util.List;
import java.util.UUID;

/**
 * A mail of which parts lie in the bucket already, under the id that it will have.
 *
 * @param parts html, text, or the places of files
 */
public record UploadedContent(UUID id, List<String> parts) {
}
