package dev.mailroom.admin.graphql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import graphql.language.Document;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import org.jspecify.annotations.Nullable;

/**
 * Fields that need no access token: the mutations of sign-in and of mailed links. Any
 * other operation is refused as a whole before it is validated, with HTTP 401.
 */
final class OpenFields {

	/** Mutations without a caller. */
	static final Set<String> MUTATIONS = Set.of("signUp", "signIn", "signInWithCode", "checkInvitation",
			"acceptInvitation", "refresh", "signOut", "verifyEmail", "resendVerification", "forgotPassword",
			"resetPassword");

	private final Map<String, FragmentDefinition> fragments = new HashMap<>();

	private final Set<String> visited = new HashSet<>();

	private OpenFields(Document document) {
		document.getDefinitionsOfType(FragmentDefinition.class)
			.forEach((fragment) -> this.fragments.put(fragment.getName(), fragment));
	}

	/**
	 * Whether the operations that the library may choose select no other fields. Each
	 * fragment is read once.
	 * @param operation name of the operation; the library takes an empty one as none
	 */
	static boolean suffice(Document document, @Nullable String operation) {
		List<OperationDefinition> chosen = document.getDefinitionsOfType(OperationDefinition.class)
			.stream()
			.filter((definition) -> operation == null || operation.isBlank() || operation.equals(definition.getName()))
			.toList();
		return !chosen.isEmpty() && chosen.stream()
			.allMatch((definition) -> new OpenFields(document).areOpen(definition.getSelectionSet(),
					definition.getOperation() == OperationDefinition.Operation.MUTATION));
	}

	private boolean areOpen(SelectionSet fields, boolean mutation) {
		return fields.getSelections().stream().allMatch((selection) -> isOpen(selection, mutation));
	}

	private boolean isOpen(Selection<?> selection, boolean mutation) {
		return switch (selection) {
			case Field field ->
				field.getName().equals("__typename") || (mutation && MUTATIONS.contains(field.getName()));
			case InlineFragment inline -> areOpen(inline.getSelectionSet(), mutation);
			case FragmentSpread spread -> {
				@Nullable FragmentDefinition fragment = this.fragments.get(spread.getName());
				yield fragment == null || !this.visited.add(spread.getName())
						|| areOpen(fragment.getSelectionSet(), mutation);
			}
			default -> false;
		};
	}

}
