//! The codes of all diagnostics of this stage.

use crate::diagnostic::Severity;

/// A kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name that diagnostics carry.
    pub name: &'static str,
    /// Whether it refuses the description.
    pub severity: Severity,
    /// When it is reported, in one sentence.
    pub meaning: &'static str,
}

macro_rules! codes {
    ($($constant:ident = $severity:ident $name:literal: $meaning:literal;)+) => {
        $(#[doc = $meaning] pub const $constant: &str = $name;)+

        /// Every code, errors first.
        pub const ALL: &[Code] = &[
            $(Code { name: $name, severity: Severity::$severity, meaning: $meaning },)+
        ];
    };
}

codes! {
    KEYWORD_ARITY = Error "keyword-arity": "A keyword has the wrong number of arguments.";
    KEYWORD_IN_HEAD = Error "keyword-in-head": "The head is `true`, `does`, `distinct` or a connective, which no rule can define.";
    KEYWORD_IN_BODY = Error "keyword-in-body": "`init` or `next`, which only heads may use, stands in a body.";
    ROLE_RULE = Error "role-rule": "A role is given by a rule with a body, or with a variable.";
    HIDDEN_INFORMATION = Error "hidden-information": "`sees`, `sees_xml` or `knows` of GDL-II and GDL-III: only games of perfect information have a value here.";
    DEPENDS_ON_DOES = Error "depends-on-does": "`legal`, `goal`, `terminal`, `init`, `base` or `input` depends on the moves that are chosen.";
    DEPENDS_ON_TRUE = Error "depends-on-true": "`init`, `base` or `input` depends on the current position.";
    NO_ROLE = Error "no-role": "No role is declared.";
    GOAL_VALUE = Error "goal-value": "A goal value is not a whole number from 0 to 100.";
    UNSAFE_VARIABLE = Error "unsafe-variable": "A variable of the head, of a negation or of `distinct` is bound by no positive literal.";
    OR_EXPLOSION = Error "or-explosion": "The disjunctions of a rule multiply to too many rules.";
    RULE_TOO_LONG = Error "rule-too-long": "A rule has too many conditions.";
    EQUALITY_EXPLOSION = Error "equality-explosion": "Equalities, written `not distinct`, build a term that is too large.";
    CONNECTIVE_IN_TERM = Warning "connective-in-term": "`not`, `and`, `or`, `distinct` or `<=` stands inside a term, where it is only the name of a function.";
    ARITY_VARIES = Warning "arity-varies": "A relation or a function is used with different numbers of arguments.";
    UNDEFINED = Warning "undefined": "A relation is used that no fact or rule defines: it is always false.";
    UNUSED = Warning "unused": "A relation is defined that no body uses.";
    ROLE_TWICE = Warning "role-twice": "A role is declared again.";
    ONLY_RANDOM = Warning "only-random": "`random` is the only role, so no player has a value.";
    NO_TERMINAL = Warning "no-terminal": "There is no `terminal` rule, so the game never ends.";
    NO_INIT = Warning "no-init": "There is no `init`, so the initial position is empty.";
    NO_GOAL = Warning "no-goal": "No `goal` can apply to a player.";
    NO_LEGAL = Warning "no-legal": "No `legal` can apply to a role.";
    UNKNOWN_ROLE = Warning "unknown-role": "`legal`, `goal`, `input` or `does` names a role that is not declared.";
    LEGAL_VARIABLE = Warning "legal-variable": "A variable stands only in the head of a `legal` rule: it ranges over the moves that `input` declares.";
    USELESS_BASE_RULE = Warning "useless-base-rule": "A variable stands only in the head of a `base` or `input` rule, which says nothing then and is ignored.";
    REORDERED = Warning "reordered": "A negation is written before the literal that binds its variables, and is read after it.";
    NEVER_FIRES = Warning "never-fires": "The body, or an alternative of an `or`, contradicts itself.";
    DUPLICATE_RULE = Warning "duplicate-rule": "A fact or rule stands there already.";
}
